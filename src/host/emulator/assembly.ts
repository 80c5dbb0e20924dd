import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import type { TargetRules } from '../../trusted/base/public-address.ts'
import type { Pace } from '../../trusted/base/work.ts'
import type { World } from '../../trusted/base/world.ts'
import type { Activity } from '../../trusted/catalogue/activity.ts'
import type { Query } from '../../trusted/catalogue/query.ts'
import type { Keyring } from '../../trusted/vault/keys/keyring.ts'
import type { Emulation } from '../../trusted/vault/vault-context.ts'
import type { Vault } from '../../protocol/vault.ts'
import { type ChangeStreams, openChangeStreams } from '../http/changes/change-streams.ts'
import { streamRoutes } from '../http/changes/stream-routes.ts'
import { realTimers, type Timers } from '../outside/timers.ts'
import { interfaceRoutes } from '../http/routes.ts'
import type { Route } from '../http/route.ts'
import type { Host } from '../pipeline/host.ts'
import { openHost } from '../pipeline/open-host.ts'
import type { Store } from '../store/store.ts'
import { localVault } from './local-vault.ts'
import type { SeededWorld } from './seeded-world.ts'

/** The whole service in this process, without a socket: the real vault and host, on any world and store. */
export function assemble(parts: {
  readonly world: World & Partial<Pick<SeededWorld, 'settled'>>
  readonly store: Store
  readonly keyring: Keyring
  readonly activities: readonly Activity[]
  readonly queries: readonly Query[]
  readonly targets: TargetRules
  readonly outside: Host['outside']
  readonly onCommitted: Host['onCommitted']
  readonly pace?: Pace
  readonly emulation?: Emulation
  /** The timers of the machine by default. */
  readonly timers?: Timers
  /** Called with errors outside requests. */
  readonly onTrouble?: (error: unknown) => void
  /** Wraps the vault for the host. */
  readonly around?: (vault: Vault) => Vault
}): {
  readonly vault: Vault
  readonly host: Host
  readonly routes: ReadonlyMap<string, Route>
  readonly streams: ChangeStreams
} {
  const { world, store, keyring, activities, queries, targets, outside, onCommitted } = parts
  const { pace, emulation, around = (vault) => vault, onTrouble = () => {} } = parts
  const opened = localVault({
    world,
    keyring,
    activities,
    targets,
    ...(pace === undefined ? {} : { pace }),
    ...(emulation === undefined ? {} : { emulation }),
  })
  const vault = around({
    ...opened,
    settled: (units) => {
      opened.settled(units)
      world.settled?.(units)
    },
  })
  let epochs = 0
  const host = openHost({
    store,
    vault,
    world,
    activities,
    outside,
    onCommitted: (organizationId) => {
      onCommitted(organizationId)
      streams.changed(organizationId)
    },
  })
  const streams = openChangeStreams(host, {
    world,
    timers: parts.timers ?? realTimers,
    newEpoch: () => `${world.now()}-${(epochs += 1)}`,
    onTrouble,
  })
  const routes = new Map([...interfaceRoutes(host, { activities, queries }), ...streamRoutes(host, streams)])
  return { vault, host, routes, streams }
}

/** @returns  the address at which it listens, only on this machine */
export async function listenOnLoopback(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
  // A listening TCP server has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
