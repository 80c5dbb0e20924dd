import type { Vault } from '../../protocol/vault.ts'
import type { Store } from '../store/store.ts'
import {
  type ArchiveName,
  archiveNoteName,
  archiveText,
  notedArchive,
  readArchiveNote,
} from './archive-note.ts'
import { CopyError } from './copy-error.ts'
import type { VerifiedArchive } from './verified-archive.ts'

/**
 * Notes in the store, once, that this file has these activities.
 *
 * @throws CopyError if another file was noted under this name
 */
export async function noteArchive(
  { store, vault }: { readonly store: Pick<Store, 'noteOnce'>; readonly vault: Pick<Vault, 'proveRoot'> },
  name: ArchiveName,
  { copy, manifest }: VerifiedArchive,
): Promise<void> {
  const text = archiveText(notedArchive(copy.id, manifest))
  const noteName = archiveNoteName(name)
  const standing = await store.noteOnce(noteName, `${text}\t${await vault.proveRoot(text)}\n`)
  const noted = readArchiveNote(noteName, standing)
  if (noted === undefined || archiveText(noted) !== text)
    throw new CopyError(
      `another file is noted as the archive of ${name.month}, part ${name.part}: ${noted?.file ?? standing}`,
    )
}
