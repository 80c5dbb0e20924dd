import { fieldList } from './columns.ts'
import { type Table, type TableRows, tables } from './tables.ts'

/** The values of a primary key, in its order. */
export type ScanKey = readonly (string | number)[]

export type ScanPage<T extends Table> = {
  readonly rows: readonly TableRows[T][]
  /** The key of the last row, from where the next page goes on; undefined when there is no row any more. */
  readonly last: ScanKey | undefined
}

/**
 * Reads a table from its beginning to its end, page by page, in the order of its primary key by its bytes: the rows
 * after the key `after`, at most `limit`, and fewer where they are long. Only a page without rows is the end.
 *
 * A row that is there from the beginning of a scan to its end is read once, as it stands at the time of its page. What
 * is put or removed in between may be in or not.
 */
export type Scan = <T extends Table>(
  table: T,
  page: { readonly limit: number; readonly after?: ScanKey | undefined },
) => Promise<ScanPage<T>>

/** The statement of a page without its LIMIT. `parameter` writes the n-th value, counted from 1. */
export function pageSelect(
  table: Table,
  { isFirst, parameter }: { readonly isFirst: boolean; readonly parameter: (n: number) => string },
): string {
  const { name, columns, key } = shapeOf(table)
  const keys = key.map((field) => columns[field]).join(', ')
  const after = isFirst ? '' : ` WHERE (${keys}) > (${key.map((_, at) => parameter(at + 1)).join(', ')})`
  return `SELECT ${fieldList(columns)} FROM ${name}${after} ORDER BY ${keys}`
}

export function keyOfRow(table: Table, row: object): ScanKey {
  // Every row has the fields of its table, and those of a key are texts or numbers.
  const fields = row as { readonly [field: string]: string | number }
  return shapeOf(table).key.map((field) => fields[field] ?? '')
}

/** The characters of all texts of a row. */
export function rowCharacters(row: object): number {
  let characters = 0
  for (const value of Object.values(row)) if (typeof value === 'string') characters += value.length
  return characters
}

export function shapeOf(table: Table): {
  readonly name: string
  readonly columns: { readonly [field: string]: string }
  readonly key: readonly string[]
} {
  return tables[table]
}

/** As both engines compare keys: texts by their bytes. */
export function isBehind(key: ScanKey, after: ScanKey): boolean {
  for (const [at, value] of key.entries()) {
    const other = after[at]
    if (value === other) continue
    if (typeof value === 'number') return value > Number(other)
    return Buffer.compare(Buffer.from(value), Buffer.from(String(other))) > 0
  }
  return false
}
