import type { Vault } from '../../protocol/vault.ts'
import { RESTORED_NOTE, notedProofs } from '../copies/restored-note.ts'
import { WrongRootKey } from '../rotation/root-proof.ts'
import type { Store } from '../store/store.ts'

/**
 * Reports each restore of this data from a copy to the vault. The vault then refuses requests that may have been
 * carried out in the lost part. A writer of the database can remove the note, just as they can remove records.
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
