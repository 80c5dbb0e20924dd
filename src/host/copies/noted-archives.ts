import type { Store } from '../store/store.ts'
import { ARCHIVE_NOTE, type NotedArchive, readArchiveNote } from './archive-note.ts'
import { notesNamed } from './notes-named.ts'

export type Noted = NotedArchive & {
  readonly proof: string
  /** The exact note. */
  readonly value: string
}

/** The archives according to the notes of a store, oldest first. Some notes may lack a proof by the vault. */
export async function notedArchives(store: Pick<Store, 'scan'>): Promise<readonly Noted[]> {
  const found: Noted[] = []
  for await (const { name, value } of notesNamed(store, ARCHIVE_NOTE)) {
    const noted = readArchiveNote(name, value)
    if (noted !== undefined) found.push({ ...noted, value })
  }
  return found.toSorted((a, b) => (a.month === b.month ? a.part - b.part : a.month < b.month ? -1 : 1))
}
