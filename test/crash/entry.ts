// The service of `claviger serve`, which kills itself or its vault at a numbered point: node entry.ts <point> <count>
import { noProxies, quietHost } from '../support/quiet.ts'
import type { AddressInfo } from 'node:net'
import { activities } from '../../src/trusted/activities/list.ts'
import { readConfig } from '../../src/host/app/config.ts'
import { jsonLog } from '../../src/host/app/log.ts'
import { openService } from '../../src/host/app/open-service.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { realWorld } from '../../src/trusted/base/real-world.ts'
import { interfaceRoutes } from '../../src/host/http/routes.ts'
import { httpServer } from '../../src/host/http/server.ts'
import { openHost } from '../../src/host/pipeline/open-host.ts'
import { queries } from '../../src/host/queries/list.ts'
import type { Store } from '../../src/host/store/store.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { isPoint, type Point } from './points.ts'

const [at = '', count = ''] = process.argv.slice(2)
if (!isPoint(at)) throw new Error(`there is no point ${at}`)

const { store, vault } = await openService(readConfig(process.env, process.cwd()))
let left = Number(count)

function pass(point: Point): void {
  if (point !== at) return
  left -= 1
  if (left === 0)
    process.kill(point.startsWith('vault') ? present(vault.pid, 'the vault') : process.pid, 'SIGKILL')
}

const killedStore: Store = {
  ...store,
  commit: async (unit) => {
    const written = store.commit(unit)
    // The embedded store writes in the turn that follows; PostgreSQL has been sent the unit by then.
    if (at === 'host-while-writing') setImmediate(() => pass('host-while-writing'))
    const result = await written
    pass('host-after-write')
    pass('vault-after-write')
    return result
  },
}

const killedVault: Vault = {
  ...vault.vault,
  decide: async (request) => {
    pass('host-before-decision')
    pass('vault-before-decision')
    const decision = await vault.vault.decide(request)
    pass('host-after-decision')
    pass('vault-after-decision')
    return decision
  },
}

const host = openHost({ store: killedStore, vault: killedVault, world: realWorld, activities, ...quietHost })
const server = httpServer({
  ...noProxies,
  routes: interfaceRoutes(host, { activities, queries }),
  world: realWorld,
  onBug: () => {},
  onAnswered: () => pass('host-after-answer'),
})
void vault.ended.then(() => process.exit(1))
server.listen(0, '127.0.0.1', () => {
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  const log = jsonLog((line) => process.stdout.write(line), realWorld.now)
  log('info', 'listening', { url: `http://127.0.0.1:${port}`, vaultPid: vault.pid, pid: process.pid })
})
