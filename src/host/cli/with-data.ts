import { realWorld } from '../../trusted/base/real-world.ts'
import type { Vault } from '../../protocol/vault.ts'
import type { Config } from '../app/config.ts'
import { openStore } from '../app/open-store.ts'
import { startRotating } from '../app/rotating.ts'
import { proveRootKey } from '../rotation/root-proof.ts'
import type { Store } from '../store/store.ts'
import { withVault } from './with-vault.ts'

type Data = { readonly store: Store; readonly vault: Vault }

/** Works with the data and with a vault of their root key, and releases both. */
export async function withData<Result>(
  config: Config,
  use: (data: Data) => Promise<Result>,
): Promise<Result> {
  return await withVault(config, async (vault) => {
    const store = await openStore(config)
    try {
      await proveRootKey(store, vault, realWorld)
      return await asHost({ store, vault }, use)
    } finally {
      await store.close()
    }
  })
}

/**
 * The command may work for hours beside services, and seals rows, notes or files like one of them. So it is a host
 * too: `claviger root-key` retires no version under which it still seals. An embedded store is its own.
 */
async function asHost<Result>(data: Data, use: (data: Data) => Promise<Result>): Promise<Result> {
  if (data.store.engine === 'sqlite') return await use(data)
  // What is wrong with the root key file stands in the announcement, and the command meets an outage itself.
  const rotation = startRotating({ ...data, log: () => undefined, onTrouble: () => undefined })
  try {
    await rotation.announced
    return await use(data)
  } finally {
    await rotation.stop()
  }
}
