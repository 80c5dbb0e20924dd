import { type SpawnedVault, spawnVault } from '../link/spawn-vault.ts'
import type { Config } from './config.ts'
import { sealSettings } from './seal-settings.ts'

/**
 * The vault of this configuration, which begins to load its code. A command that serves starts it before it imports the
 * service: on two cores the two processes then load side by side, and are ready in two thirds of the time.
 */
export function startVault(config: Config): SpawnedVault {
  const vault = spawnVault({
    rootKeyPath: config.rootKeyPath,
    rootKeyReaders: config.rootKeyReaders,
    allowPrivateTargets: config.delivery.allowPrivateTargets,
    seals: sealSettings(config, process.env),
  })
  // `openService` waits for it and tells what is wrong. A vault that ends before that is no error that nobody handles.
  vault.ready.catch(() => undefined)
  return vault
}
