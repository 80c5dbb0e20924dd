import { defineFailure, PERMISSION_DENIED } from '../../trusted/base/failure.ts'
import type { Inbox } from '../delivery/inbox.ts'
import type { Call, Route } from './route.ts'

const inboxIsLocal = defineFailure({
  kind: 'inboxIsLocal',
  code: PERMISSION_DENIED,
  say: () => 'the inbox is shown to whoever opens it on this machine, not to other pages',
})

/** What would have been sent, in development: a page and JSON. */
export function inboxRoutes(inbox: Pick<Inbox, 'json' | 'page'>): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ['GET /dev/inbox', local(() => ({ body: inbox.page(), contentType: 'text/html; charset=utf-8' }))],
    ['GET /dev/inbox.json', local(() => ({ body: inbox.json() }))],
  ])
}

/**
 * Any page in a developer's browser can call a loopback address, and one whose name is turned to 127.0.0.1 is even of the same
 * origin. The codes in here are not for them.
 */
function local(show: () => { readonly body: string; readonly contentType?: string }): Route {
  return async ({ headers }: Call) => {
    const site = headers['sec-fetch-site']?.[0] ?? 'none'
    const host = (headers['host']?.[0] ?? '').replace(/:\d+$/, '')
    if (!['none', 'same-origin'].includes(site) || !LOOPBACK.includes(host)) throw inboxIsLocal()
    return { kind: 'ok', ...show() }
  }
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
