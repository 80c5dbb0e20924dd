import type { DatabaseSync } from 'node:sqlite'
import type { Share } from '../base/fair-turns.ts'
import type { CharterRow, ObjectRow } from '../catalogue/unit.ts'
import { checkUnit } from './check-unit.ts'
import { charterColumns, fieldList, objectColumns } from './columns.ts'
import { groupCommit } from './group-commit.ts'
import { sqliteActivities } from './sqlite-activities.ts'
import { sqliteBatch } from './sqlite-batch.ts'
import { sqliteErrands } from './sqlite-errands.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { shareOf } from './share.ts'
import { errandQueue } from './sqlite-queue.ts'
import { sqliteWebhooks } from './sqlite-webhooks.ts'
import { sqliteWriter } from './sqlite-writer.ts'
import type { Store } from './store.ts'

/**
 * The embedded store: one file, served by one process. Everything runs on the calling thread; a commit is one write and
 * one sync for all units of a turn of the event loop.
 *
 * @param path        the database file, or `:memory:`, which keeps nothing and serves simulation
 * @param lockWaitMs  how long to wait for another process that holds the file, 1 s unless told
 * @throws StoreError `inUse`, `foreign` or `notDurable`
 */
export function openSqlite({
  path,
  lockWaitMs = 1_000,
}: {
  readonly path: string
  readonly lockWaitMs?: number
}): Store {
  const db = openSqliteFile(path, { lockWaitMs })
  const checkpoint = checkpointer(db)
  const put = errandQueue(db)
  const webhooks = sqliteWebhooks(db, put)
  const writeUnit = sqliteWriter(db, put, webhooks)
  const writeBatch = sqliteBatch(db, { whenUndone: webhooks.forget })
  const group = groupCommit<() => unknown, unknown>((writes) => {
    const results = writeBatch(writes)
    checkpoint.wrote(writes.length)
    return results
  })
  // The cast holds because a batch answers each write with what that write returned.
  const inBatch = <Result>(write: () => Result, share?: Share): Promise<Result> =>
    group.commit(write, share) as Promise<Result>

  return {
    engine: 'sqlite',
    commit: async (unit) => {
      checkUnit(unit)
      return await inBatch(() => writeUnit(unit), shareOf(unit))
    },
    ...sqliteActivities(db),
    ...sqliteErrands(db, inBatch, put),
    ...reads(db),
    probe: prober(db, inBatch),
    close: async () => {
      await group.close()
      if (!db.isOpen) return
      checkpoint.stop()
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      db.close()
    },
  }
}

/** The value changes each time: SQLite writes no page whose bytes stay as they are. */
function prober(db: DatabaseSync, inBatch: (write: () => unknown) => Promise<unknown>): Store['probe'] {
  const put = db.prepare(
    "INSERT INTO notes (name, value) VALUES ('probe', '1') ON CONFLICT DO UPDATE SET value = 1 - CAST(value AS INTEGER)",
  )
  return async () => {
    await inBatch(() => put.run())
  }
}

type Reads = Pick<
  Store,
  'charter' | 'objects' | 'objectsOfKind' | 'claimed' | 'find' | 'note' | 'noteOnce' | 'isEmpty'
>

// `async`, although nothing is awaited, so that what SQLite throws becomes a rejection as on the other engine.
// Rows read are cast to their types: the tables are STRICT, and the columns carry the names of the fields.
function reads(db: DatabaseSync): Reads {
  const charter = db.prepare(`SELECT ${fieldList(charterColumns)} FROM charters WHERE organization_id = ?`)
  const object = db.prepare(
    `SELECT ${fieldList(objectColumns)} FROM objects WHERE organization_id = ? AND kind = ? AND object_id = ?`,
  )
  const objectsOfKind = db.prepare(
    `SELECT ${fieldList(objectColumns)} FROM objects WHERE organization_id = ? AND kind = ? AND object_id > ? ORDER BY object_id LIMIT ?`,
  )
  const claimed = db.prepare('SELECT target FROM claims WHERE scope = ? AND kind = ? AND value = ?')
  const found = 'SELECT target FROM directory WHERE scope = ? AND kind = ? AND value = ?'
  const findUp = db.prepare(`${found} AND target > ? AND (? IS NULL OR target < ?) ORDER BY target LIMIT ?`)
  const findDown = db.prepare(`${found} AND target < ? ORDER BY target DESC LIMIT ?`)
  const note = db.prepare('SELECT value FROM notes WHERE name = ?')
  const putNote = db.prepare('INSERT OR IGNORE INTO notes (name, value) VALUES (?, ?)')

  const anyCharter = db.prepare('SELECT 1 FROM charters LIMIT 1')
  const readNote = (name: string): string | undefined => optionalText(note.get(name)?.['value'])

  return {
    charter: async (organizationId) => plain(charter.get(organizationId)) as CharterRow | undefined,
    objects: async (organizationId, kind, objectIds) =>
      objectIds
        .map((objectId) => plain(object.get(organizationId, kind, objectId)) as ObjectRow | undefined)
        .filter((row) => row !== undefined),
    objectsOfKind: async (organizationId, kind, { limit, after = '' }) =>
      objectsOfKind.all(organizationId, kind, after, limit).map((row) => plain(row) as ObjectRow),
    claimed: async (scope, kind, value) => optionalText(claimed.get(scope, kind, value)?.['target']),
    find: async ({ scope, kind, value }, { limit, after, before }) => {
      const rows =
        before !== undefined && after === undefined
          ? findDown.all(scope, kind, value, before, limit).reverse()
          : findUp.all(scope, kind, value, after ?? '', before ?? null, before ?? null, limit)
      return rows.map((row) => String(row['target']))
    },
    isEmpty: async () => anyCharter.get() === undefined,
    note: async (name) => readNote(name),
    noteOnce: async (name, value) => {
      putNote.run(name, value)
      return readNote(name) ?? value
    },
  }
}

/** SQLite's rows have no prototype; those of the catalogue are plain objects. */
function plain(row: object | undefined): object | undefined {
  return row === undefined ? undefined : { ...row }
}

function optionalText(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value)
}

/**
 * Bounds the log. A checkpoint is due after so many pages; it runs in a turn of its own, after the answers to the batch
 * that made it due have been sent. RESTART rather than PASSIVE makes the next writer begin at the front of the log again.
 */
function checkpointer(db: DatabaseSync): {
  readonly wrote: (units: number) => void
  readonly stop: () => void
} {
  const run = db.prepare('PRAGMA wal_checkpoint(RESTART)')
  let pages = 0
  let due: NodeJS.Immediate | undefined
  return {
    // A commit writes the last page of each index and a page or less per unit; an estimate is enough here.
    wrote: (units) => {
      pages += units + 4
      if (pages < CHECKPOINT_PAGES || due !== undefined) return
      due = setImmediate(() => {
        due = undefined
        pages = 0
        run.all()
      })
    },
    stop: () => {
      if (due !== undefined) clearImmediate(due)
    },
  }
}

/** Measured: fewer cost throughput, more make the pause felt in the 99th percentile. */
const CHECKPOINT_PAGES = 4_000
