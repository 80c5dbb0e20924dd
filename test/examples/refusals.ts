import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { World } from '../../src/trusted/base/world.ts'
import { VaultUnavailable } from '../../src/host/link/vault-link.ts'
import { httpServer } from '../../src/host/http/server.ts'
import type { Examples } from '../../src/host/cli/derived/examples.ts'
import { aSecondServer } from '../support/second-server.ts'
import { noProxies } from '../support/quiet.ts'
import { aService } from '../support/service.ts'
import { stampWith } from '../support/stamper.ts'

/** An answer for each status that an operation is documented to refuse with. */
export async function refusalExamples(t: TestContext): Promise<Examples['refusals']> {
  const service = await aService()
  t.after(service.close)
  const { root, world, organizationId } = service
  const member = await service.user('Grace')
  const wallet = { walletName: 'Treasury', accounts: [] }
  await service.done(root, 'ACTIVITY_TYPE_CREATE_WALLET', wallet)
  world.advance(1)
  const answers = [
    await service.submit(root, 'ACTIVITY_TYPE_CREATE_WALLET', { accounts: [] }),
    await service.post('/public/v1/query/whoami', JSON.stringify({ organizationId }), {}),
    await service.submit(member, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'Mine', accounts: [] }),
    await service.query(root, 'get_wallet', { walletId: root.userId }),
    await service.submit(root, 'ACTIVITY_TYPE_CREATE_WALLET', wallet),
  ]
  const none = { address: 1, proxy: 1, credential: Infinity, organization: Infinity, contact: Infinity }
  const limited = await aSecondServer(t, service, { limits: { ...none, address: 0.1 } })
  const body = JSON.stringify({ organizationId })
  const { stampHeaderName, stampHeaderValue } = stampWith(root.key, Buffer.from(body))
  const ask = async () =>
    await limited.post('/public/v1/query/whoami', body, { headers: { [stampHeaderName]: stampHeaderValue } })
  const rest = [await ask(), await ask(), ...(await faults(t, world))]
  const refused = [...answers, ...rest].filter(({ status }) => status !== 200)
  return Object.fromEntries(refused.map(({ status, json }) => [status, json]))
}

/** What a bug and an outage are answered with. */
async function faults(
  t: TestContext,
  world: World,
): Promise<readonly { readonly status: number; readonly json: object }[]> {
  const planted = (error: Error) => async () => {
    throw error
  }
  const server = httpServer({
    routes: new Map([
      ['GET /bug', planted(new Error('planted'))],
      ['GET /outage', planted(new VaultUnavailable('planted'))],
    ]),
    world,
    isTrustedProxy: noProxies.isTrustedProxy,
    onBug: () => {},
    onAnswered: () => {},
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    // The error body of the interface.
    return { status: answer.status, json: (await answer.json()) as object }
  }
  return [await get('/bug'), await get('/outage')]
}
