import { createHash, type Hash } from 'node:crypto'
import type { Table } from '../store/tables.ts'
import type { CopyManifest } from './copy-file.ts'
import { fieldsOfTables } from './copy-file.ts'
import type { RowPage } from './row-source.ts'

/**
 * The number of rows of each table, and their SHA-256. The hash is over the JSON of each row's values and a line feed,
 * in the order of the key. It is the same on both engines, and for all divisions into pages.
 */
export class TableDigests {
  readonly #tables = new Map<Table, { rows: number; readonly hash: Hash }>()
  readonly #fields = fieldsOfTables()

  constructor() {
    for (const table of Object.keys(this.#fields) as Table[])
      this.#tables.set(table, { rows: 0, hash: createHash('sha256') })
  }

  /** The values of these rows as JSON, one row on each line, all counted. */
  add({ table, rows }: RowPage): string {
    const fields = this.#fields[table]
    let text = ''
    for (const row of rows) {
      // A row has the fields of its table.
      const values = row as { readonly [field: string]: unknown }
      text += `${JSON.stringify(fields.map((field) => values[field]))}\n`
    }
    const counted = this.#tables.get(table)
    counted?.hash.update(text)
    if (counted !== undefined) counted.rows += rows.length
    return text
  }

  /** Once, at the end. */
  result(): CopyManifest['tables'] {
    // Every table is counted.
    return Object.fromEntries(
      [...this.#tables].map(([table, { rows, hash }]) => [table, { rows, sha256: hash.digest('hex') }]),
    ) as CopyManifest['tables']
  }
}
