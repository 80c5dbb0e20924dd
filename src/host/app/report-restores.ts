import type { Vault } from '../../protocol/vault.ts'
import { RESTORED_NOTE, notedProofs } from '../copies/restored-note.ts'
import { WrongRootKey } from '../rotation/root-proof.ts'
import type { Store } from '../store/store.ts'

/**
 * Tells the vault of each time that this data was restored from a copy: it then decides nothing that may have been
 * carried out and lost. A writer of the database can take the note away, as they can take records away.
 */
export async function reportRestores(
  store: Pick<Store, 'note'>,
  vault: Pick<Vault, 'restored'>,
): Promise<void> {
  for (const [challenge, proof] of notedProofs((await store.note(RESTORED_NOTE)) ?? ''))
    if (!(await vault.restored({ challenge, proof })))
      throw new WrongRootKey(
        `the note "${RESTORED_NOTE}" of this data does not carry the proof of its root key: it was altered by hand`,
      )
}
