import { rowName } from '../store/row-name.ts'
import { isBehind, keyOfRow, type ScanKey } from '../store/scan.ts'
import type { Snapshot } from '../store/snapshot.ts'
import type { Table, TableRows } from '../store/tables.ts'
import { CopyError } from './copy-error.ts'

/** Some rows of one table, in the order of its key. */
export type RowPage = {
  readonly [T in Table]: { readonly table: T; readonly rows: readonly TableRows[T][] }
}[Table]

/** The position of a read: after the row with this key. Without a key it is before the first row of the table. */
export type Position = { readonly table: Table; readonly after?: ScanKey | undefined }

/**
 * The rows of a store at one instant, or of a copy of it. They can be read several times, with the same result each
 * time.
 */
export type RowSource = {
  /** Every row, table by table in the order of `copiedTables`, from the given position on. */
  readonly pages: (from?: Position) => AsyncIterable<RowPage>
}

/** The columns after the row belong to the search. */
export const copiedTables: readonly Table[] = [
  'notes',
  'charters',
  'objects',
  'activities',
  'jobs',
  'orderingKeys',
  'claims',
  'directory',
]

export function snapshotSource(
  { scan }: Pick<Snapshot, 'scan'>,
  { leavesOut = () => false }: { readonly leavesOut?: (note: string) => boolean } = {},
): RowSource {
  return {
    pages: async function* (from) {
      const first = from === undefined ? 0 : copiedTables.indexOf(from.table)
      for (const [at, table] of copiedTables.slice(first).entries()) {
        for (let after = at === 0 ? from?.after : undefined; ; ) {
          const { rows, last } = await scan(table, { limit: ROWS_OF_A_PAGE, after })
          if (last === undefined) break
          if (after !== undefined && !isBehind(last, after)) throw unreadable(table, after)
          after = last
          // The rows are those of the scanned table.
          const page = { table, rows } as RowPage
          yield page.table === 'notes'
            ? { ...page, rows: page.rows.filter(({ name }) => !leavesOut(name)) }
            : page
        }
      }
    },
  }
}

const ROWS_OF_A_PAGE = 500

/** The rows of a page after a position. */
export function pageAfter(page: RowPage, { table, after }: Position): RowPage {
  const place = copiedTables.indexOf(page.table) - copiedTables.indexOf(table)
  if (place > 0 || (place === 0 && after === undefined)) return page
  // They are rows of the same table.
  if (place < 0 || after === undefined) return { ...page, rows: [] } as RowPage
  const rows: readonly object[] = page.rows
  return { ...page, rows: rows.filter((row) => isBehind(keyOfRow(table, row), after)) } as RowPage
}

function unreadable(table: Table, after: ScanKey): CopyError {
  return new CopyError(
    `${rowName(table, after)}: the rows after it cannot be read, since its key is neither a text nor a number`,
  )
}
