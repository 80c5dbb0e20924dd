import type { Store } from '../store/store.ts'
import { ARCHIVE_NOTE, type NotedArchive, readArchiveNote } from './archive-note.ts'
import { rowsOf } from './rows-of.ts'

type Noted = NotedArchive & {
  readonly proof: string
  /** The note as it stands. */
  readonly value: string
}

/** The archives that a store says were made, the oldest first. What they say is proven by the vault, or by nobody. */
export async function notedArchives(store: Pick<Store, 'scan'>): Promise<readonly Noted[]> {
  const found: Noted[] = []
  for await (const rows of rowsOf(store, 'notes'))
    for (const { name, value } of rows) {
      const noted = name.startsWith(ARCHIVE_NOTE) ? readArchiveNote(name, value) : undefined
      if (noted !== undefined) found.push({ ...noted, value })
    }
  return found.toSorted((a, b) => (a.month === b.month ? a.part - b.part : a.month < b.month ? -1 : 1))
}
