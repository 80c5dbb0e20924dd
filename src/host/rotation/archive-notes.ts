import type { Vault } from '../../protocol/vault.ts'
import { notedArchives } from '../copies/noted-archives.ts'
import { archiveNoteName, archiveText } from '../copies/archive-note.ts'
import type { Store } from '../store/store.ts'

/**
 * Proves the notes about archives under the version that seals now. A note that another program has written stays
 * unchanged: it must not prevent the retirement of a version, and `claviger verify` reports it.
 *
 * @returns  false if a note was changed in the meantime
 */
export async function renewArchives(
  store: Pick<Store, 'scan' | 'replaceNote'>,
  vault: Pick<Vault, 'checkRootProof' | 'proveRoot'>,
): Promise<boolean> {
  for (const archive of await notedArchives(store)) {
    const { proof, value } = archive
    const text = archiveText(archive)
    if ((await vault.checkRootProof({ challenge: text, proof })) !== 'own') continue
    const renewed = `${text}\t${await vault.proveRoot(text)}\n`
    if (renewed !== value && !(await store.replaceNote(archiveNoteName(archive), value, renewed)))
      return false
  }
  return true
}
