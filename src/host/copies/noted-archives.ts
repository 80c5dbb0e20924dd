import type { ScanKey } from '../store/scan.ts'
import type { Store } from '../store/store.ts'
import type { TableRows } from '../store/tables.ts'
import { ARCHIVE_NOTE, type NotedArchive, readArchiveNote } from './archive-note.ts'

export type Noted = NotedArchive & {
  readonly proof: string
  /** The exact note. */
  readonly value: string
}

/** The archives according to the notes of a store, oldest first. Some notes may lack a proof by the vault. */
export async function notedArchives(store: Pick<Store, 'scan'>): Promise<readonly Noted[]> {
  const found: Noted[] = []
  for await (const { name, value } of notesOf(store)) {
    const noted = readArchiveNote(name, value)
    if (noted !== undefined) found.push({ ...noted, value })
  }
  return found.toSorted((a, b) => (a.month === b.month ? a.part - b.part : a.month < b.month ? -1 : 1))
}

/** The names have a common beginning and stand together, so no other notes are read. */
async function* notesOf({ scan }: Pick<Store, 'scan'>): AsyncGenerator<TableRows['notes']> {
  for (let after: ScanKey = [ARCHIVE_NOTE]; ; ) {
    const { rows, last } = await scan('notes', { limit: NOTES_OF_A_PAGE, after })
    for (const row of rows) {
      if (!row.name.startsWith(ARCHIVE_NOTE)) return
      yield row
    }
    if (last === undefined) return
    after = last
  }
}

const NOTES_OF_A_PAGE = 500
