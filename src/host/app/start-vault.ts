import { connectVault } from '../link/connect-vault.ts'
import type { RunningVault } from '../link/running-vault.ts'
import { type Listening, spawnVault } from '../link/spawn-vault.ts'
import type { Config } from './config.ts'
import { sealSettings } from './seal-settings.ts'

/**
 * The vault of this configuration: the one that runs as a service, or a new one that begins to load its code. A serving
 * command starts it before it imports the service: on two cores the two processes then load in parallel, and are ready
 * in two thirds of the time.
 */
export function startVault(config: Config): RunningVault {
  const vault = config.vaultPath === undefined ? ownVault(config) : connectVault(config.vaultPath)
  // `openService` waits for it and reports its error. A vault that ends before that must not cause an unhandled
  // rejection.
  vault.ready.catch(() => undefined)
  return vault
}

/** A vault with the root key of this configuration, which ends with this process. */
export function ownVault(config: Config, listening?: Listening): RunningVault {
  return spawnVault({
    rootKeyPath: config.rootKeyPath,
    rootKeyReaders: config.rootKeyReaders,
    allowPrivateTargets: config.delivery.allowPrivateTargets,
    seals: sealSettings(config, process.env),
    ...(listening === undefined ? {} : { listening }),
  })
}
