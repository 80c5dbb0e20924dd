import { activities } from '../../trusted/activities/list.ts'
import { realWorld } from '../../trusted/base/real-world.ts'
import type { Vault } from '../../protocol/vault.ts'
import { archivedActivities } from '../copies/archives/archived-activities.ts'
import type { RunningVault } from '../link/running-vault.ts'
import { openIssuerKeys } from '../outside/issuer-keys.ts'
import { openOutbound, type Outbound } from '../outside/outbound.ts'
import { outsideOf } from '../outside/outside.ts'
import { realTimers } from '../outside/timers.ts'
import type { Host } from '../pipeline/host.ts'
import { openHost } from '../pipeline/open-host.ts'
import { proveRootKey } from '../rotation/root-proof.ts'
import type { Store } from '../store/store.ts'
import { audited } from './auditing.ts'
import type { Config } from './config.ts'
import { outboundConnectionsMax } from './descriptors.ts'
import { openArchivePlace } from './open-archive-place.ts'
import { openOrMakeStore } from './open-store.ts'
import { reportRestores } from './report-restores.ts'
import { startVault } from './start-vault.ts'

export type OpenedService = {
  readonly host: Host
  readonly vault: RunningVault
  readonly store: Store
  readonly outbound: Outbound
  readonly secp256k1: string
}

/** Works with the host of a service, without a socket, and closes its store and its vault. */
export async function withService<Result>(
  config: Config,
  use: (opened: OpenedService) => Promise<Result>,
): Promise<Result> {
  const opened = await openService(config)
  try {
    return await use(opened)
  } finally {
    await opened.store.close()
    await opened.vault.end()
  }
}

/**
 * Opens the store and the vault, checks that they belong together, and returns the host, without a socket yet.
 *
 * @param started     the vault, if it was started before; it is ended if the store does not open
 * @param onNotTaken  called when a vault has come back and is not accepted, at each attempt
 */
export async function openService(
  config: Config,
  onCommitted: Host['onCommitted'] = () => {},
  started?: RunningVault,
  onNotTaken: (error: unknown) => void = () => {},
): Promise<OpenedService> {
  const store = await openOrMakeStore(config).catch(async (error: unknown) => {
    await started?.end()
    throw error
  })
  try {
    const vault = started ?? startVault(config)
    try {
      const introduce = async (asked: Vault): Promise<void> => {
        await proveRootKey(store, asked, realWorld)
        await reportRestores(store, asked)
      }
      vault.onReturn(async (asked) => {
        try {
          await introduce(asked)
        } catch (error) {
          onNotTaken(error)
          throw error
        }
      })
      const { secp256k1 } = await vault.ready
      await introduce(vault.vault)
      const outbound = openOutbound({
        allowPrivate: config.delivery.allowPrivateTargets,
        connectionsMax: outboundConnectionsMax(),
      })
      const issuerKeys = openIssuerKeys({ outbound, elapsed: realWorld.elapsed })
      const archives =
        config.archives === undefined
          ? undefined
          : archivedActivities({
              store,
              vault: vault.vault,
              place: await openArchivePlace(config.archives, { isAwaited: true }),
            })
      const host = openHost({
        ...audited(store, config.audit, realWorld),
        archives,
        vault: vault.vault,
        world: realWorld,
        activities,
        outside: outsideOf({ issuerKeys, outbound, timers: realTimers }),
        onCommitted,
      })
      return { host, vault, store, outbound, secp256k1 }
    } catch (error) {
      await vault.end()
      throw error
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
