import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { keyOfRow, pageSelect, rowCharacters, type ScanKey, type ScanPage } from '../scan.ts'
import { sqliteRecords } from './records.ts'
import type { Table, TableRows } from '../tables.ts'

type SqlitePage = <T extends Table>(
  table: T,
  page: { readonly limit: number; readonly after?: ScanKey | undefined },
) => ScanPage<T>

/** Reads pages of a table. A page ends early, with the row that reaches the maximum of characters. */
export function sqlitePages(
  db: DatabaseSync,
  { charactersMax }: { readonly charactersMax: number },
): SqlitePage {
  const records = sqliteRecords(db)
  const statements = new Map<string, StatementSync>()
  const prepared = (table: Table, isFirst: boolean, isWide: boolean): StatementSync => {
    const name = `${table} ${isFirst} ${isWide}`
    const sql = `${pageSelect(table, { isFirst, parameter: () => '?' })} LIMIT ?`
    const statement = statements.get(name) ?? db.prepare(sql)
    statement.setReadBigInts(isWide)
    statements.set(name, statement)
    return statement
  }
  const read = <T extends Table>(
    table: T,
    { limit, after }: Parameters<SqlitePage>[1],
    isWide: boolean,
  ): ScanPage<T> => {
    const values: SQLInputValue[] = [...(after ?? []), limit]
    const rows: TableRows[T][] = []
    let characters = 0
    for (const found of prepared(table, after === undefined, isWide).iterate(...values)) {
      // SQLite's rows have no prototype. The cast holds because the tables are STRICT and their columns are read under
      // the names of the fields.
      const stored = { ...(isWide ? narrowed(found) : found) } as object as TableRows[T]
      // The rows of this table are records, although the type is general here.
      const row = table === 'activities' ? (records.expand(stored as ActivityRow) as TableRows[T]) : stored
      rows.push(row)
      characters += rowCharacters(row)
      if (characters >= charactersMax) break
    }
    const last = rows.at(-1)
    return { rows, last: last === undefined ? undefined : keyOfRow(table, last) }
  }
  return (table, page) => {
    try {
      return read(table, page, false)
    } catch (error) {
      // A number that none of our rows has. It must not prevent the reading of the other rows of its page.
      if (!(error instanceof RangeError)) throw error
      return read(table, page, true)
    }
  }
}

/**
 * Too large a number becomes the nearest one that exists, which is not a whole number that differs from its neighbours.
 */
function narrowed(row: Readonly<Record<string, SQLOutputValue>>): Readonly<Record<string, SQLOutputValue>> {
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, typeof value === 'bigint' ? Number(value) : value]),
  )
}
