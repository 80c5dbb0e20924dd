import { toHex } from '../../trusted/base/bytes.ts'
import type { World } from '../../trusted/base/world.ts'
import { ROOT_PROOF_NOTE } from '../copies/root-proof-note.ts'
import { RESTORED_NOTE, notedProofs } from '../copies/restored-note.ts'
import { rowsOf } from '../copies/rows-of.ts'
import type { Snapshot } from '../store/snapshot.ts'
import type { Store } from '../store/store.ts'
import { renewArchives } from './archive-notes.ts'
import { renewRecoveries } from './recovery-notes.ts'
import type { Vault } from '../../protocol/vault.ts'

export class WrongRootKey extends Error {
  override readonly name = 'WrongRootKey'
}

/**
 * Checks that this data was written under this root key, before the service answers requests. The first start leaves a
 * challenge and the vault's proof over it. At every later start the vault must recognise the proof as its own, under
 * any version that it still has.
 */
export async function proveRootKey(store: Store, vault: Vault, world: World): Promise<void> {
  const standing =
    (await store.note(ROOT_PROOF_NOTE)) ??
    (await store.noteOnce(ROOT_PROOF_NOTE, await newProof(vault, world)))
  await refuseForeign(standing, vault)
}

/** The same for a snapshot, in which no proof is left: a copy under another root key could not be restored. */
export async function checkRootKey(snapshot: Pick<Snapshot, 'scan'>, vault: Vault): Promise<void> {
  for await (const notes of rowsOf(snapshot, 'notes'))
    for (const { name, value } of notes) if (name === ROOT_PROOF_NOTE) await refuseForeign(value, vault)
}

async function refuseForeign(standing: string, vault: Vault): Promise<void> {
  const [challenge, proof, ...more] = standing.split(' ')
  const isWhole = challenge !== undefined && proof !== undefined && more.length === 0
  const origin = isWhole ? await vault.checkRootProof({ challenge, proof }) : 'foreign'
  if (origin !== 'own') throw new WrongRootKey(REFUSALS[origin])
}

const REFUSALS = {
  foreign:
    'this data was written under another root key, or its proof was changed in the database: ' +
    'bring the root key file that belongs to it, or start with another data folder',
  unheld:
    'this data was written under another root key, or under a version that the root key file no longer has or does not have yet: ' +
    'bring the newest root key file that belongs to it, or start with another data folder',
  newer:
    'this data has been resealed under a newer version than the one that seals by this root key file: ' +
    'bring the newest root key file that belongs to it',
}

/**
 * Proves the data under the version that seals now, so that earlier versions can be retired. The notes about restores,
 * recoveries and archives are proven as well.
 *
 * @returns  whether the proofs are under that version
 */
export async function renewRootProof(store: Store, vault: Vault): Promise<boolean> {
  if (!(await renewRestores(store, vault)) || !(await renewRecoveries(store, vault))) return false
  if (!(await renewArchives(store, vault))) return false
  const standing = await store.note(ROOT_PROOF_NOTE)
  const [challenge = '', proof = ''] = standing?.split(' ') ?? []
  if (standing === undefined || (await vault.checkRootProof({ challenge, proof })) !== 'own') return false
  const renewed = await vault.proveRoot(challenge)
  if (renewed === proof) return true
  return await store.replaceNote(ROOT_PROOF_NOTE, standing, `${challenge} ${renewed}`)
}

async function renewRestores(store: Store, vault: Vault): Promise<boolean> {
  const standing = await store.note(RESTORED_NOTE)
  if (standing === undefined) return true
  let renewed = ''
  for (const [challenge, proof] of notedProofs(standing)) {
    if ((await vault.checkRootProof({ challenge, proof })) !== 'own') return false
    renewed += `${challenge}\t${await vault.proveRoot(challenge)}\n`
  }
  return renewed === standing || (await store.replaceNote(RESTORED_NOTE, standing, renewed))
}

async function newProof(vault: Vault, world: World): Promise<string> {
  const challenge = toHex(world.randomBytes(16))
  return `${challenge} ${await vault.proveRoot(challenge)}`
}
