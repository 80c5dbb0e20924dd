import { toHex } from '../base/bytes.ts'
import type { World } from '../base/world.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../vault/protocol.ts'

export class WrongRootKey extends Error {
  override readonly name = 'WrongRootKey'
}

const NOTE = 'root-proof'

/**
 * Sees that this data was written under this root key, before anything is served. The first start leaves a challenge and the
 * vault's proof over it; every later one must prove the same. A newer root key file keeps the older versions, so it still can.
 */
export async function proveRootKey(store: Store, vault: Vault, world: World): Promise<void> {
  const known = await store.note(NOTE)
  const challenge = known?.split(' ')[0] ?? toHex(world.randomBytes(16))
  const proof = `${challenge} ${await vault.proveRoot(challenge)}`
  const standing = known ?? (await store.noteOnce(NOTE, proof))
  const [asked, answered] = standing.split(' ')
  if (asked === undefined || answered !== (await vault.proveRoot(asked)))
    throw new WrongRootKey(
      'this data was written under another root key: bring the root key file that belongs to it, or start with another data folder',
    )
}
