import type { Activity } from '../catalogue/activity.ts'
import type { Query } from '../catalogue/query.ts'
import { openApiDocument } from '../catalogue/openapi.ts'
import { errorBody, Failure, INTERNAL } from '../base/failure.ts'
import type { Host } from '../pipeline/host.ts'
import { webhookKeyId } from '../vault/webhooks.ts'
import type { Answer, Route } from './server.ts'

/** What the service tells of itself, without a stamp: health, metrics, its interface, and its public keys. */
export async function serviceRoutes(
  host: Host,
  of: {
    readonly activities: readonly Activity[]
    readonly queries: readonly Query[]
    readonly metricsText: () => Promise<string>
    readonly isReady: () => boolean
  },
): Promise<ReadonlyMap<string, Route>> {
  const openApi = JSON.stringify(openApiDocument(of.activities, of.queries))
  const serviceKeys = await host.vault.serviceKeys()
  const keys = JSON.stringify(serviceKeys)
  const webhookKeys = JSON.stringify({ keys: [webhookJwk(serviceKeys.webhook)] })
  const ready = async (): Promise<Answer> => {
    if (!of.isReady()) return unavailable('the service is shutting down')
    try {
      await Promise.all([host.store.note('root-proof'), host.vault.serviceKeys()])
      return { kind: 'ok', body: '{"status":"ready"}' }
    } catch {
      return unavailable('the store or the vault does not answer')
    }
  }
  return new Map<string, Route>([
    ['GET /', async () => ({ kind: 'ok', body: FRONT_PAGE, maxAgeSeconds: 300 })],
    ['GET /healthz', async () => ({ kind: 'ok', body: '{"status":"ok"}' })],
    ['GET /readyz', ready],
    [
      'GET /metrics',
      async () => ({ kind: 'ok', body: await of.metricsText(), contentType: 'text/plain; version=0.0.4' }),
    ],
    ['GET /openapi.json', async () => ({ kind: 'ok', body: openApi, maxAgeSeconds: 300 })],
    ['GET /public/v1/discovery/keys', async () => ({ kind: 'ok', body: keys, maxAgeSeconds: 300 })],
    [
      'GET /public/v1/discovery/webhooks/jwks',
      async () => ({ kind: 'ok', body: webhookKeys, cacheControl: WEBHOOK_KEYS_CACHE_CONTROL }),
    ],
  ])
}

/** For whoever comes by with a browser. Which version it is, is nobody's business who has no key. */
const FRONT_PAGE = JSON.stringify({
  service: 'Claviger, a key management service',
  interface: '/openapi.json',
  publicKeys: '/public/v1/discovery/keys',
  ready: '/readyz',
})

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

function unavailable(why: string): Answer {
  return { kind: 'error', status: 503, error: errorBody(new Failure('unavailable', INTERNAL, why, [])) }
}
