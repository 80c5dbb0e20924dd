import { connectVault } from '../link/connect-vault.ts'
import type { RunningVault } from '../link/running-vault.ts'
import { type Listening, spawnVault } from '../link/spawn-vault.ts'
import type { Config } from './config.ts'
import { sealSettings } from './seal-settings.ts'

/**
 * The vault of this configuration: the one that runs as a service, or else one that begins to load its code. A command
 * that serves starts it before it imports the service: on two cores the two processes then load side by side, and are
 * ready in two thirds of the time.
 */
export function startVault(config: Config): RunningVault {
  const vault = config.vaultPath === undefined ? ownVault(config) : connectVault(config.vaultPath)
  // `openService` waits for it and tells what is wrong. A vault that ends before that is no error that nobody handles.
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
