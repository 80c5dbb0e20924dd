import { defineFailure, PERMISSION_DENIED } from '../../trusted/base/failure.ts'
import type { Route } from './route.ts'

const onlyForThisMachine = defineFailure({
  kind: 'onlyForThisMachine',
  code: PERMISSION_DENIED,
  say: () =>
    'this is for programs of this machine and for pages that are opened here by their own address, not for other pages',
})

/**
 * Any page in a developer's browser can call a loopback address, and one whose name is turned to 127.0.0.1 is even of the same
 * origin. What is in here is not for them: neither to be read nor, by a form that they send, to be changed.
 */
export function forThisMachine(route: Route): Route {
  return async (call) => {
    const { headers } = call
    const site = headers['sec-fetch-site']?.join() ?? 'none'
    const host = headers['host']?.join() ?? ''
    const origin = headers['origin']?.join() ?? `http://${host}`
    const isOwn = ['none', 'same-origin'].includes(site) && origin === `http://${host}`
    if (!isOwn || !LOOPBACK.includes(host.replace(/:\d+$/, ''))) throw onlyForThisMachine()
    return { ...(await route(call)), cors: {} }
  }
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
