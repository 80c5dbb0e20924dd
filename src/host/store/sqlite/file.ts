import { chmodSync, closeSync, openSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  APPLIED,
  type AppliedMigration,
  appliedMigration,
  NOTED,
  notedMigration,
  pendingMigrations,
} from '../migrations.ts'
import { migrationTable, PAGE_BYTES, sqliteMigrations } from './schema.ts'
import { makeFolder } from '../make-folder.ts'
import { isStoreOutage } from '../outage.ts'
import { StoreError } from '../store-error.ts'

export const IN_MEMORY = ':memory:'

/**
 * Opens the database file, durable and with the tables of this version. The caller holds the lock on it
 * (`takeSqliteLock`): SQLite's own locks permit reads by other processes.
 *
 * @param path        the database file; its folder is made if it is missing (0700), the file is 0600. Or `:memory:`
 * @param lockWaitMs  the time to wait for a predecessor that is about to end
 * @throws StoreError `inUse`, `foreign` or `notDurable`
 */
export function openSqliteFile(path: string, { lockWaitMs }: { readonly lockWaitMs: number }): DatabaseSync {
  if (path !== IN_MEMORY) prepareFile(path)
  const db = openDatabase(path)
  try {
    // First, because all later statements can meet a lock. The constructor's option for it is unknown to Node 22.13.
    db.exec(`PRAGMA busy_timeout = ${lockWaitMs}`)
    tune(db, path)
    migrate(db)
    refuseTriggers(db, path)
    if (path !== IN_MEMORY) refuseAlteredTables(db, path)
    // From now on no statement waits for other readers or writers of the file, because all requests would wait with it.
    db.exec('PRAGMA busy_timeout = 0')
    return db
  } catch (error) {
    db.close()
    throw explainedOfFile(error, path)
  }
}

// The file is created here for its mode, which SQLite then gives to its companion files. An existing file must never be
// opened and closed here: closing any descriptor of a file drops this process's locks on it, including those of SQLite.
export function prepareFile(path: string): void {
  makeFolder(dirname(path))
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
    refuseNoFile(path)
    restrict(path)
  }
}

function restrict(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    if (!isErrno(error, 'EPERM')) throw error
    throw new StoreError(
      'foreign',
      `${path} belongs to another user: run this as that user, or make the file that of this one`,
      { cause: error },
    )
  }
}

/** @throws StoreError for what is no file, and for a file that this user may not open */
export function openDatabase(path: string): DatabaseSync {
  if (path !== IN_MEMORY) refuseNoFile(path)
  try {
    return new DatabaseSync(path)
  } catch (error) {
    throw explainedOfFile(error, path)
  }
}

function refuseNoFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return
  throw new StoreError(
    'foreign',
    `${path} is ${kindOf(found)} and not a file: move it away, or set CLAVIGER_DATA to another folder`,
  )
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder'
  return found.isSocket() ? 'a socket' : 'a device or a pipe'
}

function tune(db: DatabaseSync, path: string): void {
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`)
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('PRAGMA synchronous = FULL')
  // Without these two, macOS leaves synced data in the drive's cache. Elsewhere they have no effect.
  db.exec('PRAGMA fullfsync = ON')
  db.exec('PRAGMA checkpoint_fullfsync = ON')
  // The writer checkpoints between batches, long before this bound; it only applies to a single huge unit.
  db.exec('PRAGMA wal_autocheckpoint = 16000')
  db.exec(`PRAGMA journal_size_limit = ${64 * 1024 * 1024}`)
  db.exec('PRAGMA cache_size = -16000')
  if (path === IN_MEMORY) return
  if (pragma(db, 'journal_mode') !== 'wal' || pragma(db, 'synchronous') !== 2)
    throw new StoreError(
      'notDurable',
      `SQLite does not keep a write-ahead log with full sync in ${path}; is it on a network file system?`,
    )
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

function migrate(db: DatabaseSync): void {
  db.exec('BEGIN EXCLUSIVE')
  db.exec(migrationTable)
  const pending = pendingMigrations(sqliteMigrations, appliedIn(db))
  for (const { sql } of pending) db.exec(sql)
  for (const migration of pending)
    db.prepare(`INSERT INTO migrations (${NOTED}) VALUES (?, ?, ?)`).run(
      ...notedMigration(sqliteMigrations, migration),
    )
  db.exec('COMMIT')
}

/** The applied steps. */
export function appliedIn(db: DatabaseSync): readonly AppliedMigration[] {
  return db.prepare(APPLIED).all().map(appliedMigration)
}

// No other process of Claviger writes to the file while the lock is held, but an earlier one may have left objects in
// it: for example, a trigger that undoes each deletion.
function refuseTriggers(db: DatabaseSync, path: string): void {
  const trigger = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' LIMIT 1").get()
  if (trigger !== undefined)
    throw new StoreError(
      'foreign',
      `${path} has a trigger (${String(trigger['name'])}) that Claviger has not made: drop it, having found out who has`,
    )
}

// STRICT enforces the types of the columns; if the tables of a file were recreated without it, or differently, their
// text shows it.
export function refuseAlteredTables(db: DatabaseSync, path: string): void {
  const ours = new DatabaseSync(IN_MEMORY)
  try {
    migrate(ours)
    const found = new Map(tablesIn(db))
    const isNewer = appliedIn(db).some(({ number }) => number > sqliteMigrations.length)
    for (const [name, sql] of tablesIn(ours))
      if (found.get(name) !== sql && !(isNewer && isWidened(sql, found.get(name))))
        throw new StoreError(
          'foreign',
          `the table ${name} of ${path} is not as this version makes it: it was altered by hand`,
        )
  } finally {
    ours.close()
  }
}

// The columns of a newer version stand in one place, after the last earlier one.
function isWidened(ours: string, found = ''): boolean {
  let at = 0
  while (at < ours.length && ours[at] === found[at]) at++
  const added = found.slice(at, found.length - (ours.length - at))
  return found === ours.slice(0, at) + added + ours.slice(at) && /^[^()]*,[^()]*$/.test(added)
}

function tablesIn(db: DatabaseSync): readonly (readonly [name: string, sql: string])[] {
  return db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name, sql }) => [String(name), String(sql)])
}

export function pragma(db: DatabaseSync, name: string): unknown {
  const row = db.prepare(`PRAGMA ${name}`).get()
  return row === undefined ? undefined : Object.values(row)[0]
}

const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

/** An error of SQLite in words for the operator, if the operator can correct its cause. */
export function explainedOfFile(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error
  // The lower byte is the primary result code; the others give details.
  switch (Number(error.errcode) & 0xff) {
    case SQLITE_BUSY:
      return new StoreError(
        'inUse',
        `${path} is in use by another process; one process at a time can serve an embedded store`,
        { cause: error },
      )
    case SQLITE_CANTOPEN:
      return new StoreError(
        'unavailable',
        `${path} cannot be opened: may the user of this process read and write the file and its folder?`,
        { cause: error },
      )
    case SQLITE_NOTADB:
      return new StoreError('foreign', `${path} is not a database of Claviger`, { cause: error })
    case SQLITE_CORRUPT:
      return new StoreError('foreign', `${path} is damaged (${error.message}): restore a backup`, {
        cause: error,
      })
    default:
      return isStoreOutage(error)
        ? new StoreError(
            'unavailable',
            `${path} cannot be used: ${error.message}; is the disk full, or read only?`,
            {
              cause: error,
            },
          )
        : error
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
