import { bytesToHex } from '@noble/hashes/utils.js'
import type { EmbeddedKey } from './embedded-key.ts'
import type { StoredKey } from './key-store.ts'

type UsedKey = Pick<StoredKey, 'privateKey' | 'publicKey'>

/** An embedded key, in whose place another may open bundles for a while. The other one is kept nowhere. */
type OverridableKey = EmbeddedKey & { readonly override: (key: UsedKey | undefined) => void }

export function overridableKey(embedded: EmbeddedKey): OverridableKey {
  let override: UsedKey | undefined
  /** What bundles are opened with is what a page is told, whichever message asks. */
  const told = async (stored: () => Promise<string>): Promise<string> =>
    override === undefined ? await stored() : bytesToHex(override.publicKey)
  return {
    init: () => told(embedded.init),
    publicKey: () => told(embedded.publicKey),
    use: async () => override ?? (await embedded.use()),
    reset: async () => {
      override = undefined
      await embedded.reset()
    },
    override: (key) => {
      override = key
    },
  }
}
