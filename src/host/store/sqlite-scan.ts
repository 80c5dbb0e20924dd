import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { keyOfRow, pageSelect, rowCharacters, type ScanKey, type ScanPage } from './scan.ts'
import type { Table, TableRows } from './tables.ts'

type SqlitePage = <T extends Table>(
  table: T,
  page: { readonly limit: number; readonly after?: ScanKey | undefined },
) => ScanPage<T>

/** Reads pages of a table. One ends early with the row with which it has so many characters. */
export function sqlitePages(
  db: DatabaseSync,
  { charactersMax }: { readonly charactersMax: number },
): SqlitePage {
  const statements = new Map<string, StatementSync>()
  const prepared = (table: Table, isFirst: boolean): StatementSync => {
    const name = `${table} ${isFirst}`
    const sql = `${pageSelect(table, { isFirst, parameter: () => '?' })} LIMIT ?`
    const statement = statements.get(name) ?? db.prepare(sql)
    statements.set(name, statement)
    return statement
  }
  return <T extends Table>(table: T, { limit, after }: Parameters<SqlitePage>[1]) => {
    const values: SQLInputValue[] = [...(after ?? []), limit]
    const rows: TableRows[T][] = []
    let characters = 0
    for (const read of prepared(table, after === undefined).iterate(...values)) {
      // SQLite's rows have no prototype. The cast holds because the tables are STRICT and their columns are read under the names of
      // the fields.
      const row = { ...read } as object as TableRows[T]
      rows.push(row)
      characters += rowCharacters(row)
      if (characters >= charactersMax) break
    }
    const last = rows.at(-1)
    return { rows, last: last === undefined ? undefined : keyOfRow(table, last) }
  }
}
