import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Examples } from '../../src/host/cli/derived/examples.ts'
import { serviceRoutes } from '../../src/host/http/service-routes.ts'
import { openHost } from '../../src/host/pipeline/open-host.ts'
import { activities } from '../../src/trusted/activities/list.ts'
import { quietHost } from '../support/quiet.ts'
import { aService } from '../support/service.ts'
import { operationExchanges } from './exchanges.ts'
import { authProxyExchanges } from './proxied.ts'
import { refusalExamples } from './refusals.ts'

/**
 * What is sent and answered when a service runs every example. It is the same each time: the services have a clock and
 * a seed, and so have the published clients that encrypt in this process.
 */
export async function takenExamples(): Promise<Examples> {
  const toEnd: (() => unknown)[] = []
  // Of a test's context, what the settings of tests use.
  const t = { after: (end: () => unknown) => toEnd.push(end) } as unknown as TestContext
  seedClients()
  try {
    return {
      operations: await operationExchanges(t),
      authProxy: await authProxyExchanges(t),
      service: await serviceExamples(t),
      refusals: await refusalExamples(t),
    }
  } finally {
    for (const end of toEnd.toReversed()) await end()
  }
}

async function serviceExamples(t: TestContext): Promise<Examples['service']> {
  const { store, vault, world, close } = await aService()
  t.after(close)
  const host = openHost({ ...quietHost, store, vault, world, activities })
  const routes = await serviceRoutes(host, {
    metricsText: async () => '',
    readiness: async () => ({ kind: 'ok', body: '{"status":"ready"}' }),
  })
  const paths = ['/healthz', '/readyz', '/public/v1/discovery/keys', '/public/v1/discovery/webhooks/jwks']
  const call = { body: new Uint8Array(), stamp: {}, clientAddress: '', headers: {} }
  const taken = paths.map(async (path): Promise<[string, object]> => {
    const answer = await routes.get(`GET ${path}`)?.(call)
    if (answer?.kind !== 'ok') throw new Error(`${path} is not answered`)
    // Each of these paths answers an object.
    return [path, JSON.parse(answer.body) as object]
  })
  return Object.fromEntries(await Promise.all(taken))
}

/** Published clients draw from Web Crypto. */
function seedClients(): void {
  let drawn = 0
  crypto.getRandomValues = (array) => {
    if (array === null) return array
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    for (let at = 0; at < bytes.length; at += 32)
      bytes.set(
        createHash('sha256')
          .update(`example ${drawn++}`)
          .digest()
          .subarray(0, bytes.length - at),
        at,
      )
    return array
  }
}
