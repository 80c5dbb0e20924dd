import type { DatabaseSync } from 'node:sqlite'
import type { Share } from '../../../trusted/base/fair-turns.ts'
import { asAsked } from '../as-asked.ts'
import { checkUnit } from '../check-unit.ts'
import { groupCommit } from '../group-commit.ts'
import { readingTurns, rowsWeight } from '../reading-turns.ts'
import { sqliteActivities } from './activities.ts'
import { sqliteBatch } from './batch.ts'
import { sqliteJobs } from './jobs.ts'
import { IN_MEMORY, openSqliteFile } from './file.ts'
import { takeSqliteLock } from './lock.ts'
import { shareOf } from '../commit-share.ts'
import { sqliteQuotaStore } from '../quotas/sqlite-quota-store.ts'
import { sqliteQuotas } from '../quotas/sqlite-quotas.ts'
import { jobQueue } from './queue.ts'
import { sqliteReads } from './reads.ts'
import { type SqliteRecords, sqliteRecords } from './records.ts'
import { checkSeals } from '../resealing.ts'
import { sqliteEraseRest, sqliteEraseSnapshots } from './erase.ts'
import { sqliteRemoveActivities, sqliteReplaceNote, sqliteReseal } from './reseal.ts'
import { sqlitePages } from './scan.ts'
import { sqliteWebhooks } from './webhooks.ts'
import { whereItCan } from './where-it-can.ts'
import { sqliteWriter } from './writer.ts'
import type { Store } from '../store.ts'

/**
 * The embedded store: one file, served by one process. Everything runs on the calling thread; a commit is one write and
 * one sync for all units of a turn of the event loop.
 *
 * @param path        the database file, or `:memory:`, which keeps nothing and serves the simulation
 * @param lockWaitMs  the time to wait for another process that holds the file, 1 s by default
 * @throws StoreError `inUse`, `foreign` or `notDurable`
 */
export function openSqlite({
  path,
  lockWaitMs = 1_000,
}: {
  readonly path: string
  readonly lockWaitMs?: number
}): Store {
  if (path === IN_MEMORY) return sqliteOn(openSqliteFile(path, { lockWaitMs }))
  const lock = takeSqliteLock(path, { lockWaitMs })
  try {
    return sqliteOn(openSqliteFile(path, { lockWaitMs }), {
      whenClosed: lock.release,
      beforeBatch: lock.check,
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * The same on an open file, which is closed with the store.
 *
 * @param whenClosed   called after that
 * @param beforeBatch  called before each batch; if it throws, nothing is written
 * @param records      the form in which it keeps records
 */
export function sqliteOn(
  db: DatabaseSync,
  {
    whenClosed = () => {},
    beforeBatch = () => {},
    records = sqliteRecords(db),
  }: {
    readonly whenClosed?: () => void
    readonly beforeBatch?: () => void
    readonly records?: SqliteRecords
  } = {},
): Store {
  const checkpoint = checkpointer(db)
  const turns = readingTurns()
  const put = jobQueue(db)
  const webhooks = sqliteWebhooks(db, put)
  const quotas = sqliteQuotas(db)
  const writeUnit = sqliteWriter(db, { put, webhooks, records, quotas })
  const writeBatch = sqliteBatch(db, {
    whenUndone: () => {
      webhooks.forget()
      records.forget()
      quotas.forget()
    },
  })
  const group = groupCommit<() => unknown, unknown>((writes) => {
    beforeBatch()
    const results = writeBatch(writes)
    checkpoint.wrote(writes.length)
    return results
  })
  // The cast holds because a batch answers each write with the result of that write.
  const inBatch = <Result>(write: () => Result, share?: Share): Promise<Result> =>
    group.commit(write, share) as Promise<Result>

  const pages = sqlitePages(db, { charactersMax: SCANNED_CHARACTERS_MAX })
  const writeSeals = sqliteReseal(db)
  const replaceNote = sqliteReplaceNote(db)
  const eraseRest = sqliteEraseRest(db)
  const eraseSnapshots = sqliteEraseSnapshots(db)
  const removeActivities = sqliteRemoveActivities(db)
  const parts = {
    ...sqliteActivities(db, turns, records),
    ...sqliteJobs(db, { inBatch, turns, put }),
    ...sqliteReads(db, turns),
  }
  let isClosed = false
  return {
    engine: 'sqlite',
    commit: async (unit) => {
      checkUnit(unit)
      return await inBatch(() => writeUnit(unit), shareOf(unit))
    },
    ...parts,
    ...asAsked(parts),
    scan: (table, { limit, after }) =>
      turns(
        '',
        () => pages(table, { limit: Math.min(limit, SCANNED_ROWS_MAX), after }),
        ({ rows }) => rowsWeight(rows),
      ),
    quotas: sqliteQuotaStore(quotas, inBatch),
    replaceNote: (name, before, after) => inBatch(() => replaceNote(name, before, after)),
    reseal: async (seals) => {
      checkSeals(seals)
      return await inBatch(() => writeSeals(seals), { flow: '', cost: seals.length })
    },
    removeActivities: (activities) =>
      inBatch(() => removeActivities(activities), { flow: '', cost: activities.length }),
    eraseRest: (organizationId, limit) => inBatch(() => eraseRest(organizationId, limit)),
    eraseSnapshots: (userId, named, page) => inBatch(() => eraseSnapshots(userId, named, page)),
    // Rows that are read here were synced before.
    confirmer: () => async () => undefined,
    server: () => undefined,
    probe: prober(db, inBatch),
    load: () => ({ commits: group.tried(), pools: [] }),
    close: async () => {
      await group.close()
      if (isClosed) return
      isClosed = true
      checkpoint.stop()
      whereItCan(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      db.close()
      whenClosed()
    },
  }
}

/** A page of a scan is read in one turn, in which all requests wait, so it is shorter than the maximum of a turn. */
const SCANNED_ROWS_MAX = 64
const SCANNED_CHARACTERS_MAX = 256 * 1024

/** The value changes each time: SQLite does not write a page whose bytes are unchanged. */
function prober(db: DatabaseSync, inBatch: (write: () => unknown) => Promise<unknown>): Store['probe'] {
  const put = db.prepare(
    "INSERT INTO notes (name, value) VALUES ('probe', '1') ON CONFLICT DO UPDATE SET value = 1 - CAST(value AS INTEGER)",
  )
  return async () => {
    await inBatch(() => put.run())
  }
}

/**
 * Bounds the log. A checkpoint is due after this number of pages; it runs in a turn of its own, after the answers to
 * the batch that made it due. RESTART instead of PASSIVE makes the next writer begin at the front of the log again.
 * While a copy is read (`withSqliteSnapshot`), the log only grows, and checkpoints do not wait for the reader.
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
        whereItCan(() => run.all())
      })
    },
    stop: () => {
      if (due !== undefined) clearImmediate(due)
    },
  }
}

/** Measured: a lower number costs throughput, a higher one makes the pause visible in the 99th percentile. */
const CHECKPOINT_PAGES = 4_000
