import { defineFailure, PERMISSION_DENIED } from '../../trusted/base/failure.ts'
import { isLoopback } from '../../trusted/base/loopback.ts'
import type { Route } from './route.ts'

const onlyForThisMachine = defineFailure({
  kind: 'onlyForThisMachine',
  code: PERMISSION_DENIED,
  say: () =>
    'this is for programs of this machine and for pages that are opened here by their own address, not for other pages',
})

/**
 * Protects a loopback route from pages in a developer's browser. Any page can call a loopback address, and a page whose
 * name resolves to 127.0.0.1 (DNS rebinding) even has the same origin. Such pages must not read this route, nor change
 * data with a form.
 */
export function forThisMachine(route: Route): Route {
  return async (call) => {
    const { headers } = call
    const site = headers['sec-fetch-site']?.join() ?? 'none'
    const host = headers['host']?.join() ?? ''
    const origin = headers['origin']?.join() ?? `http://${host}`
    const isOwn = ['none', 'same-origin'].includes(site) && origin === `http://${host}`
    if (!isOwn || !isLoopback(host.replace(/:\d+$/, ''))) throw onlyForThisMachine()
    return { ...(await route(call)), cors: {} }
  }
}
