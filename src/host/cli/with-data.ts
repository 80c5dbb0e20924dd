import { realWorld } from '../../trusted/base/real-world.ts'
import type { Vault } from '../../protocol/vault.ts'
import type { Config } from '../app/config.ts'
import { openStore } from '../app/open-store.ts'
import { startVault } from '../app/start-vault.ts'
import { proveRootKey } from '../rotation/root-proof.ts'
import type { Store } from '../store/store.ts'

/** Works with the data and with a vault of their root key, and releases both. */
export async function withData<Result>(
  config: Config,
  use: (data: { readonly store: Store; readonly vault: Vault }) => Promise<Result>,
): Promise<Result> {
  const spawned = startVault(config)
  try {
    await spawned.ready
    const { vault } = spawned
    const store = await openStore(config)
    try {
      await proveRootKey(store, vault, realWorld)
      return await use({ store, vault })
    } finally {
      await store.close()
    }
  } finally {
    await spawned.end()
  }
}
