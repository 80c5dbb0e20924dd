import type { ScanKey } from '../store/scan.ts'
import type { Store } from '../store/store.ts'
import type { Table, TableRows } from '../store/tables.ts'

/** All rows of a table in pages, in the state at which their page is read. */
export async function* rowsOf<T extends Table>(
  { scan }: Pick<Store, 'scan'>,
  table: T,
): AsyncGenerator<readonly TableRows[T][]> {
  for (let after: ScanKey | undefined; ; ) {
    const page = await scan(table, { limit: ROWS_OF_A_PAGE, after })
    if (page.last === undefined) return
    after = page.last
    yield page.rows
  }
}

const ROWS_OF_A_PAGE = 500
