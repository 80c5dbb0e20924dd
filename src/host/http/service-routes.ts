import { readFileSync } from 'node:fs'
import type { Units } from '../../trusted/base/work.ts'
import { realTimers } from '../outside/timers.ts'
import type { Host } from '../pipeline/host.ts'
import { webhookKeyId } from '../../trusted/vault/records/webhooks.ts'
import { type RateLimits, UNITS_PER_REQUEST } from './rate-limits.ts'
import type { Answer, Route } from './route.ts'
import { sharedAnswer } from './shared-answer.ts'

/** The public routes of the service, without a stamp: health, metrics, its interface, and its public keys. */
export async function serviceRoutes(
  host: Host,
  of: {
    readonly metricsText: () => Promise<string>
    readonly readiness: () => Promise<Answer>
    readonly limits?: RateLimits | undefined
    /** Whether another port tells of metrics and readiness, so that this one does not. */
    readonly isWatchedElsewhere?: boolean
    /** The path of the console, where this port has it. */
    readonly console?: string | undefined
  },
): Promise<ReadonlyMap<string, Route>> {
  const openApi = openApiText()
  const frontPage = JSON.stringify({
    ...FRONT_PAGE,
    ...(of.isWatchedElsewhere === true ? {} : { ready: '/readyz' }),
    ...(of.console === undefined ? {} : { console: of.console }),
  })
  const serviceKeys = sharedAnswer(async () => {
    const keys = await host.vault.serviceKeys()
    const webhookKeys = keys.versions.filter(({ purpose }) => purpose === 'webhook')
    return {
      keys: JSON.stringify(keys),
      webhookKeys: JSON.stringify({ keys: webhookKeys.map(({ publicKey }) => webhookJwk(publicKey)) }),
    }
  }, KEYS_FRESH)
  // A vault that cannot return them fails the start, not the first request.
  await serviceKeys()
  const within = (route: () => Promise<Answer>, units: Units = 0): Route => {
    const { limits } = of
    if (limits === undefined) return route
    return async ({ clientAddress }) => {
      limits.arrive('address', clientAddress, units)
      return await route()
    }
  }
  return new Map<string, Route>([
    ['GET /', within(async () => ({ kind: 'ok', body: frontPage, maxAgeSeconds: 300 }))],
    // What watches the service may ask from behind the same proxy as everybody. All but metrics costs next to nothing.
    ...[...healthRoutes(of)]
      .filter(([name]) => of.isWatchedElsewhere !== true || name === HEALTH)
      .map(([name, route]) => [name, name === METRICS ? within(route) : route] as const),
    [
      'GET /openapi.json',
      within(async () => ({ kind: 'ok', body: openApi(), maxAgeSeconds: 300 }), OPENAPI_UNITS),
    ],
    [
      'GET /public/v1/discovery/keys',
      within(async () => ({ kind: 'ok', body: (await serviceKeys()).keys, maxAgeSeconds: 300 })),
    ],
    [
      'GET /public/v1/discovery/webhooks/jwks',
      within(async () => ({
        kind: 'ok',
        body: (await serviceKeys()).webhookKeys,
        cacheControl: WEBHOOK_KEYS_CACHE_CONTROL,
      })),
    ],
  ])
}

/** A host reads its root key file as often, so that a new key is shown soon, and strangers ask the vault seldom. */
const KEYS_FRESH = { timers: realTimers, freshMs: 10_000 }

const HEALTH = 'GET /healthz'
const METRICS = 'GET /metrics'

/**
 * For monitoring of the service, without limits. Programs may read all of it. A page of any origin in a browser that
 * reaches the service may read only that it runs.
 */
export function healthRoutes(of: {
  readonly metricsText: () => Promise<string>
  readonly readiness: () => Promise<Answer>
}): ReadonlyMap<string, () => Promise<Answer>> {
  return new Map<string, () => Promise<Answer>>([
    [HEALTH, async () => ({ kind: 'ok', body: '{"status":"ok"}' })],
    ['GET /readyz', async () => ({ ...(await of.readiness()), cors: {} })],
    [
      METRICS,
      async () => ({
        kind: 'ok',
        body: await of.metricsText(),
        contentType: 'text/plain; version=0.0.4',
        cors: {},
      }),
    ],
  ])
}

const OPENAPI_FILE = new URL('../../../openapi.json', import.meta.url)

/**
 * The document of this version as `npm run derive` wrote it, without its white space; read when somebody first asks for
 * it.
 */
function openApiText(): () => string {
  let read: string | undefined
  return () => (read ??= JSON.stringify(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'))))
}

/** More than a megabyte goes out for a line that comes in. */
const OPENAPI_UNITS: Units = 20 * UNITS_PER_REQUEST

/** For visitors with a browser. It does not reveal the version. */
const FRONT_PAGE = {
  service: 'Claviger, a key management service',
  interface: '/openapi.json',
  publicKeys: '/public/v1/discovery/keys',
}

const WEBHOOK_KEYS_CACHE_CONTROL = 'public, max-age=86400, s-maxage=86400, stale-if-error=604800'

/** RFC 8037, section 2, with the two members by which receivers find the signature it is for. */
function webhookJwk(publicKey: string) {
  return {
    kid: webhookKeyId(publicKey),
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    x: Buffer.from(publicKey, 'hex').toString('base64url'),
    turnkey_signature_algorithm: 'ed25519',
    turnkey_signature_version: 'v1',
  } as const
}
