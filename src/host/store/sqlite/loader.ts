import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { columnList } from '../columns.ts'
import { IN_EMPTY_STORES, type Loader } from '../loader.ts'
import { shapeOf } from '../scan.ts'
import { explainedOfFile, openSqliteFile } from './file.ts'
import { sqliteRecords } from './records.ts'
import { sqlitePages } from './scan.ts'
import { takeSqliteLock } from './lock.ts'
import { StoreError } from '../store-error.ts'
import { type Table, tables } from '../tables.ts'
import { whereItCan } from './where-it-can.ts'

/**
 * Fills an empty or new embedded store in one transaction. If the work fails, or the process is killed, the store is
 * empty afterwards.
 *
 * @throws StoreError `inUse`, or `foreign` if there is data already
 */
export async function withSqliteLoader<Result>(
  path: string,
  work: (loader: Loader) => Promise<Result>,
): Promise<Result> {
  const lock = takeSqliteLock(path, { lockWaitMs: LOCK_WAIT_MS })
  try {
    const db = openSqliteFile(path, { lockWaitMs: LOCK_WAIT_MS })
    try {
      db.exec('BEGIN IMMEDIATE')
      refuseFilled(db, path)
      for (const table of IN_EMPTY_STORES) db.exec(`DELETE FROM ${shapeOf(table).name}`)
      const result = await work(loaderOn(db))
      lock.check()
      db.exec('COMMIT')
      whereItCan(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      return result
    } catch (error) {
      throw explainedOfFile(error, path)
    } finally {
      db.close()
    }
  } finally {
    lock.release()
  }
}

const LOCK_WAIT_MS = 1_000
const PAGE_CHARACTERS = 1024 * 1024

function refuseFilled(db: DatabaseSync, path: string): void {
  // These are exactly the names of the tables.
  for (const table of Object.keys(tables) as Table[])
    if (
      !IN_EMPTY_STORES.has(table) &&
      db.prepare(`SELECT 1 FROM ${shapeOf(table).name} LIMIT 1`).get() !== undefined
    )
      throw new StoreError('foreign', `${path} is not empty (it has ${table}): choose another data folder`)
}

function loaderOn(db: DatabaseSync): Loader {
  const records = sqliteRecords(db)
  const statements = new Map<Table, StatementSync>()
  const insertInto = (table: Table): StatementSync => {
    const { name, columns } = shapeOf(table)
    const places = Object.keys(columns).map(() => '?')
    const sql = `INSERT INTO ${name} (${columnList(columns)}) VALUES (${places.join(', ')})`
    const statement = statements.get(table) ?? db.prepare(sql)
    statements.set(table, statement)
    return statement
  }
  const pages = sqlitePages(db, { charactersMax: PAGE_CHARACTERS })
  return {
    scan: async (table, page) => pages(table, page),
    put: async (table, rows) => {
      const insert = insertInto(table)
      const fields = Object.keys(shapeOf(table).columns)
      for (const row of rows) {
        // The columns of STRICT tables accept only values of their own type.
        const stored = table === 'activities' ? records.compact(row as ActivityRow) : row
        const values = stored as { readonly [field: string]: string | number | null }
        insert.run(...fields.map((field) => values[field] ?? null))
      }
    },
    setLastJob: async (sequence) => {
      db.prepare("DELETE FROM sqlite_sequence WHERE name = 'errands'").run()
      db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('errands', ?)").run(sequence)
    },
  }
}
