import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { authProxyRoutes } from '../../src/host/auth-proxy/routes.ts'
import type { AuthProxyConfig } from '../../src/host/auth-proxy/config.ts'
import { type LimitKind, openRateLimits, type RateLimitSettings } from '../../src/host/http/rate-limits.ts'
import { interfaceRoutes } from '../../src/host/http/routes.ts'
import { httpServer } from '../../src/host/http/server.ts'
import { trustedProxies } from '../../src/host/http/trusted-proxies.ts'
import type { Host } from '../../src/host/pipeline/host.ts'
import { openHost } from '../../src/host/pipeline/open-host.ts'
import { queries } from '../../src/host/queries/list.ts'
import { quietHost } from './quiet.ts'
import type { JsonAnswer, TestService } from './service.ts'

export type SecondAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: JsonAnswer
}

export type SecondServer = {
  readonly url: string
  /** Posts from a client address of its own, which a trusted proxy tells. */
  readonly post: (
    path: string,
    body: object | string,
    how?: { readonly headers?: Record<string, string>; readonly from?: string },
  ) => Promise<SecondAnswer>
  readonly preflight: (path: string, headers: Record<string, string>) => Promise<SecondAnswer>
  /** What was limited so far. */
  readonly limited: readonly LimitKind[]
}

/**
 * Another host over the store and the vault of a test service, with limits and with an auth proxy, behind a proxy on
 * loopback.
 */
export async function aSecondServer(
  t: TestContext,
  service: TestService,
  options: {
    readonly limits?: RateLimitSettings
    readonly authProxy?: readonly AuthProxyConfig[]
    readonly outside?: Host['outside']
  } = {},
): Promise<SecondServer> {
  const { store, vault, world } = service
  const { outside = quietHost.outside, authProxy = [] } = options
  const host = openHost({ ...quietHost, store, vault, world, activities, outside })
  const limited: LimitKind[] = []
  const limits =
    options.limits === undefined
      ? undefined
      : openRateLimits({
          settings: options.limits,
          world,
          onLimited: (kind) => limited.push(kind),
        })
  const bugs: unknown[] = []
  const server = httpServer({
    routes: new Map([
      ...interfaceRoutes(host, { activities, queries, limits }),
      ...authProxyRoutes(host, { configs: authProxy, queries, limits }),
    ]),
    world,
    isTrustedProxy: trustedProxies(['127.0.0.1']),
    onBug: (bug) => bugs.push(bug),
    onAnswered: () => {},
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  // A TCP server that listens has an address with a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = async (path: string, init: RequestInit): Promise<SecondAnswer> => {
    const answer = await fetch(`${url}${path}`, init)
    const text = await answer.text()
    if (answer.status === 500) throw new Error(`the service met a bug at ${path}`, { cause: bugs.at(-1) })
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: text === '' ? undefined : JSON.parse(text),
    }
  }
  return {
    url,
    limited,
    post: (path, body, { headers = {}, from = '198.51.100.1' } = {}) =>
      send(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
      }),
    preflight: (path, headers) => send(path, { method: 'OPTIONS', headers }),
  }
}
