import { realWorld } from '../../trusted/base/real-world.ts'
import type { AnsweredCall } from '../http/server.ts'
import { requestLine, UNKNOWN_ROUTE } from './request-line.ts'
import type { ServiceParts } from './service-parts.ts'
import { tracedRequest } from './traced.ts'

/**
 * Tells the metrics, the request log and the traces of each answered call.
 *
 * @param names  of the routes, such as `GET /healthz`; other paths, which strangers invent, are counted as one
 */
export function answeredCalls(
  { observed, running }: Pick<ServiceParts, 'observed' | 'running'>,
  names: Iterable<string>,
): (call: AnsweredCall) => void {
  const paths = new Set(Array.from(names, (name) => name.slice(name.indexOf(' ') + 1)))
  return (call) => {
    const route = paths.has(call.path) ? call.path : UNKNOWN_ROUTE
    observed.requests.answered({ route, status: call.status, seconds: call.seconds })
    if (call.status === 401) observed.work.unauthenticated(call.error?.turnkeyErrorCode ?? 'none')
    if (HEALTH_ROUTES.includes(route)) return
    running.requestLog?.note(requestLine(call, route, realWorld.now()))
    running.tracing?.note(tracedRequest(call, route, realWorld.now()))
  }
}

/** These requests belong to no organization, and there are many. */
const HEALTH_ROUTES = ['/healthz', '/readyz', '/metrics']
