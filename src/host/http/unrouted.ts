import { METHODS } from 'node:http'
import {
  defineFailure,
  errorBody,
  type Failure,
  NOT_FOUND,
  UNIMPLEMENTED,
} from '../../trusted/base/failure.ts'
import { errorAnswer } from './error-answer.ts'
import { unsupportedPath } from './unsupported-paths.ts'
import type { Answer, Route } from './route.ts'

type Request = { readonly method: string; readonly path: string }

/**
 * The answer where no route is: 405 with `allow` where the path has other methods (RFC 9110, section 15.5.6); 501 where
 * it is left out on purpose; else 404.
 */
export function unrouted(routes: ReadonlyMap<string, Route>, { method, path }: Request): Answer {
  const allowed = allowedMethods(routes, path)
  if (allowed.length === 0) return errorAnswer(unsupportedPath(path) ?? unknownPath(routes, { method, path }))
  const error = errorBody(methodNotAllowed({ method, path, allowed }))
  const headers = { allow: [...allowed, 'OPTIONS'].join(', '), 'access-control-expose-headers': 'allow' }
  return { kind: 'error', status: 405, error, headers }
}

function unknownPath(routes: ReadonlyMap<string, Route>, request: Request): Failure {
  const { path } = request
  if (path.startsWith('//')) return twoSlashes(request)
  const isOfProxy = path.startsWith(PROXY_BASE) && !routes.has(`POST ${PROXY_BASE}account`)
  return isOfProxy ? noAuthProxy(request) : noSuchOperation(request)
}

/** Of every path of the auth proxy. */
const PROXY_BASE = '/v1/'

export const noSuchOperation = defineFailure<Request>({
  kind: 'noSuchOperation',
  code: NOT_FOUND,
  say: ({ method, path }) => `no such operation: ${method} ${path.slice(0, 200)}`,
})

/**
 * Published clients put the path behind the address as it was given. Only the path that was sent is read: a proxy
 * before the service, which knows no other, may forbid some paths.
 */
const twoSlashes = defineFailure<Request>({
  kind: 'twoSlashes',
  code: NOT_FOUND,
  say: ({ method, path }) =>
    `no such operation: ${method} ${path.slice(0, 200)}: the path begins with two slashes: give the client the address without a slash at its end`,
})

/** Published wallet kits call these paths, and their users would look for an error in the address. */
const noAuthProxy = defineFailure<Request>({
  kind: 'noAuthProxy',
  code: NOT_FOUND,
  say: ({ method, path }) =>
    `no such operation: ${method} ${path.slice(0, 200)}: this service has no auth proxy; its operator sets one up with CLAVIGER_AUTH_PROXY`,
})

const methodNotAllowed = defineFailure<Request & { readonly allowed: readonly string[] }>({
  kind: 'methodNotAllowed',
  code: UNIMPLEMENTED,
  say: ({ method, path, allowed }) =>
    `method ${method} is not allowed at ${path.slice(0, 200)}; send ${allowed.join(' or ')}`,
})

/** Where there is a GET there is a HEAD; every path answers OPTIONS. */
function allowedMethods(routes: ReadonlyMap<string, Route>, path: string): readonly string[] {
  const own = METHODS.filter((method) => method !== 'OPTIONS' && routes.has(`${method} ${path}`))
  return own.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
