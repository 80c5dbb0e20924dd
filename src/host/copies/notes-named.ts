import type { ScanKey } from '../store/scan.ts'
import type { Store } from '../store/store.ts'
import type { TableRows } from '../store/tables.ts'

/** The notes whose names have this beginning. They stand together, so no other notes are read. */
export async function* notesNamed(
  { scan }: Pick<Store, 'scan'>,
  beginning: string,
): AsyncGenerator<TableRows['notes']> {
  for (let after: ScanKey = [beginning]; ; ) {
    const { rows, last } = await scan('notes', { limit: NOTES_OF_A_PAGE, after })
    for (const row of rows) {
      if (!row.name.startsWith(beginning)) return
      yield row
    }
    if (last === undefined) return
    after = last
  }
}

const NOTES_OF_A_PAGE = 500
