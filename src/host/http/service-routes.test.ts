import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { errorBody, Failure, UNAVAILABLE } from '../../trusted/base/failure.ts'
import type { Answer } from './route.ts'
import { httpServer } from './server.ts'
import { healthRoutes } from './service-routes.ts'
import { trustedProxies } from './trusted-proxies.ts'

test('a page in the browser of an operator cannot read metrics and readiness', async (t) => {
  let ready: Answer = { kind: 'ok', body: '{"status":"ready"}' }
  const server = httpServer({
    routes: healthRoutes({
      metricsText: async () => 'claviger_bugs_total 0\n',
      readiness: async () => ready,
    }),
    world: { now: () => 0, elapsed: () => 0, randomBytes: (length) => new Uint8Array(length) },
    isTrustedProxy: trustedProxies([]),
    onBug: assert.ifError,
    onAnswered: () => {},
  })
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  const readersOf = async (path: string): Promise<readonly [number, string | null]> => {
    const headers = { origin: 'https://shop.example', connection: 'close' }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    return [answer.status, answer.headers.get('access-control-allow-origin')]
  }
  assert.deepEqual(await readersOf('/metrics'), [200, null])
  assert.deepEqual(await readersOf('/readyz'), [200, null])
  ready = { kind: 'error', error: errorBody(new Failure('notReady', UNAVAILABLE, 'not ready', [])) }
  assert.deepEqual(await readersOf('/readyz'), [503, null])
  assert.deepEqual(await readersOf('/healthz'), [200, '*'])
})
