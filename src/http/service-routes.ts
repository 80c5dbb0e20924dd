import type { Activity } from '../catalogue/activity.ts'
import type { Query } from '../catalogue/query.ts'
import { openApiDocument } from '../catalogue/openapi.ts'
import { errorBody, Failure, INTERNAL } from '../base/failure.ts'
import type { Host } from '../pipeline/host.ts'
import type { Answer, Route } from './server.ts'

/** What the service tells of itself, without a stamp: health, metrics, its interface, and its public keys. */
export async function serviceRoutes(
  host: Host,
  of: {
    readonly activities: readonly Activity[]
    readonly queries: readonly Query[]
    readonly metricsText: () => string
    readonly isReady: () => boolean
  },
): Promise<ReadonlyMap<string, Route>> {
  const openApi = JSON.stringify(openApiDocument(of.activities, of.queries))
  const keys = JSON.stringify(await host.vault.serviceKeys())
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
    ['GET /healthz', async () => ({ kind: 'ok', body: '{"status":"ok"}' })],
    ['GET /readyz', ready],
    [
      'GET /metrics',
      async () => ({ kind: 'ok', body: of.metricsText(), contentType: 'text/plain; version=0.0.4' }),
    ],
    ['GET /openapi.json', async () => ({ kind: 'ok', body: openApi, maxAgeSeconds: 300 })],
    ['GET /public/v1/discovery/keys', async () => ({ kind: 'ok', body: keys, maxAgeSeconds: 300 })],
  ])
}

function unavailable(why: string): Answer {
  return { kind: 'error', status: 503, error: errorBody(new Failure('unavailable', INTERNAL, why, [])) }
}
