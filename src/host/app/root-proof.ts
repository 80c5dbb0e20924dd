import { toHex } from '../../trusted/base/bytes.ts'
import type { World } from '../../trusted/base/world.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../../protocol/vault.ts'

export class WrongRootKey extends Error {
  override readonly name = 'WrongRootKey'
}

const NOTE = 'root-proof'

/**
 * Sees that this data was written under this root key, before anything is served. The first start leaves a challenge and the
 * vault's proof over it; at every later one the vault must know the proof as its own, made with any version it still holds.
 */
export async function proveRootKey(store: Store, vault: Vault, world: World): Promise<void> {
  const standing = (await store.note(NOTE)) ?? (await store.noteOnce(NOTE, await newProof(vault, world)))
  const [challenge, proof, ...more] = standing.split(' ')
  const isWhole = challenge !== undefined && proof !== undefined && more.length === 0
  if (!isWhole || !(await vault.checkRootProof({ challenge, proof })))
    throw new WrongRootKey(
      'this data was written under another root key, or under a version that the root key file no longer has: ' +
        'bring the root key file that belongs to it, or start with another data folder',
    )
}

async function newProof(vault: Vault, world: World): Promise<string> {
  const challenge = toHex(world.randomBytes(16))
  return `${challenge} ${await vault.proveRoot(challenge)}`
}
