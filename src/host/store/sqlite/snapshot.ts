import type { DatabaseSync } from 'node:sqlite'
import { refuseNewer, refuseOlder } from '../migrations.ts'
import { appliedIn, explainedOfFile, openDatabase, refuseAlteredTables } from './file.ts'
import { noEmbeddedStore } from './no-store.ts'
import { sqlitePages } from './scan.ts'
import { sqliteMigrations } from './schema.ts'
import type { Snapshot } from '../snapshot.ts'
import { StoreError } from '../store-error.ts'
import { whereItCan } from './where-it-can.ts'

/**
 * Reads the present state of the file, also while a service uses it: on a separate connection, in one transaction,
 * which SQLite's write-ahead log serves from the state at its beginning. The log grows during the work. Afterwards the
 * growth is moved into the file here, so that the service does not have to do it between two requests.
 *
 * @throws StoreError `foreign` if there is no data, or data of another version; `inUse` or `unavailable` if it cannot
 *         be read
 */
export async function withSqliteSnapshot<Result>(
  path: string,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const db = openToRead(path)
  try {
    const pages = sqlitePages(db, { charactersMax: PAGE_CHARACTERS })
    const result = await work({
      scan: async (table, page) => pages(table, page),
      lastJob: Number(
        db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'errands'").get()?.['seq'] ?? 0,
      ),
    })
    db.exec('COMMIT')
    db.exec('PRAGMA query_only = OFF; PRAGMA synchronous = FULL')
    whereItCan(() => db.exec('PRAGMA wal_checkpoint(PASSIVE)'))
    return result
  } catch (error) {
    throw explainedOfFile(error, path)
  } finally {
    db.close()
  }
}

/** @returns a connection inside a transaction */
function openToRead(path: string): DatabaseSync {
  const missing = noEmbeddedStore(path)
  if (missing !== undefined) throw missing
  const db = openDatabase(path)
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA query_only = ON; PRAGMA cache_size = -16000`)
    db.exec('BEGIN')
    checkSchema(db, path)
    return db
  } catch (error) {
    db.close()
    throw explainedOfFile(error, path)
  }
}

/** @throws StoreError `foreign` */
function checkSchema(db: DatabaseSync, path: string): void {
  const hasSchema = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() !== undefined
  if (!hasSchema) throw new StoreError('foreign', `${path} is not a database of Claviger`)
  const applied = appliedIn(db)
  refuseNewer(sqliteMigrations, applied)
  refuseOlder(sqliteMigrations, applied, path)
  refuseAlteredTables(db, path)
}

const BUSY_MS = 5_000
const PAGE_CHARACTERS = 1024 * 1024
