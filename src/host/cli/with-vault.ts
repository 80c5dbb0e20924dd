import type { Vault } from '../../protocol/vault.ts'
import type { Config } from '../app/config.ts'
import { startVault } from '../app/start-vault.ts'

/** Works with a vault of this configuration, and ends it. */
export async function withVault<Result>(
  config: Config,
  use: (vault: Vault) => Promise<Result>,
): Promise<Result> {
  const started = startVault(config)
  try {
    await started.ready
    return await use(started.vault)
  } finally {
    await started.end()
  }
}
