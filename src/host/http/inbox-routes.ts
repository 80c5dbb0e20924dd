import { type Inbox, INBOX_STYLE } from '../delivery/inbox.ts'
import { forThisMachine } from './for-this-machine.ts'
import { pageHeaders } from './page-headers.ts'
import type { Route } from './route.ts'

/**
 * The messages that would have been sent, in development: a page and JSON. Only users of this machine can read the
 * codes.
 */
export function inboxRoutes(inbox: Pick<Inbox, 'json' | 'page'>): ReadonlyMap<string, Route> {
  const page: Route = async () => ({
    kind: 'ok',
    body: inbox.page(),
    contentType: 'text/html; charset=utf-8',
    headers: pageHeaders,
  })
  const style: Route = async () => ({
    kind: 'ok',
    body: INBOX_STYLE,
    contentType: 'text/css; charset=utf-8',
    headers: pageHeaders,
  })
  return new Map<string, Route>([
    ['GET /dev/inbox', forThisMachine(page)],
    ['GET /dev/inbox.css', forThisMachine(style)],
    ['GET /dev/inbox.json', forThisMachine(async () => ({ kind: 'ok', body: inbox.json() }))],
  ])
}
