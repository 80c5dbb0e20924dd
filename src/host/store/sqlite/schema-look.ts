import { appliedIn, explainedOfFile, openDatabase } from './file.ts'
import { noEmbeddedStore } from './no-store.ts'
import type { SchemaLook } from '../schema-look.ts'
import { StoreError } from '../store-error.ts'

/**
 * Reads the applied steps from an embedded store of any version. It has no notes of hosts, because one process holds
 * it.
 *
 * @throws StoreError `foreign` if there is no data
 */
export function lookAtSqliteSchema(path: string): SchemaLook {
  const missing = noEmbeddedStore(path)
  if (missing !== undefined) throw missing
  const db = openDatabase(path)
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA query_only = ON`)
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() === undefined)
      throw new StoreError('foreign', `${path} is not a database of Claviger`)
    return { applied: appliedIn(db), notes: [] }
  } catch (error) {
    throw explainedOfFile(error, path)
  } finally {
    db.close()
  }
}

const BUSY_MS = 5_000
