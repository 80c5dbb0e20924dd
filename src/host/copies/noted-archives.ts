import type { ScanKey } from '../store/scan.ts'
import type { Store } from '../store/store.ts'
import type { TableRows } from '../store/tables.ts'
import { ARCHIVE_NOTE, type NotedArchive, readArchiveNote } from './archive-note.ts'

export type Noted = NotedArchive & {
  readonly proof: string
  /** The note as it stands. */
  readonly value: string
}

/** The archives that a store says were made, the oldest first. What they say is proven by the vault, or by nobody. */
export async function notedArchives(store: Pick<Store, 'scan'>): Promise<readonly Noted[]> {
  const found: Noted[] = []
  for await (const { name, value } of notesOf(store)) {
    const noted = readArchiveNote(name, value)
    if (noted !== undefined) found.push({ ...noted, value })
  }
  return found.toSorted((a, b) => (a.month === b.month ? a.part - b.part : a.month < b.month ? -1 : 1))
}

/** Their names stand together, behind that with which they begin: others are not read. */
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
