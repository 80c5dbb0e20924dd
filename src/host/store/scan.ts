import { fieldList } from './columns.ts'
import { type Table, type TableRows, tables } from './tables.ts'

/** The values of a primary key, in its order. */
export type ScanKey = readonly (string | number)[]

export type ScanPage<T extends Table> = {
  readonly rows: readonly TableRows[T][]
  /** The key of the last row, from which the next page continues; undefined after the last row. */
  readonly last: ScanKey | undefined
}

/**
 * Reads a table from its beginning to its end, page by page, in the byte order of its primary key: the rows after the
 * key `after`, at most `limit`, and fewer if they are long. Only an empty page marks the end.
 *
 * A row that exists during the whole scan is read once, in the state at the time of its page. Rows that are inserted or
 * removed during the scan may be included or not.
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
