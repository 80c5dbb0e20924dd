import type { DatabaseSync } from 'node:sqlite'
import { checkFailure, checkInstant, checkWebhook } from '../check-jobs.ts'
import { fieldList } from '../columns.ts'
import { countJobs, JOB_KINDS, type JobGroup, JOBS_COUNTED_MAX } from '../job-counts.ts'
import { type JobRecord, jobColumns } from '../job-columns.ts'
import { jobOf, jobsHandedOut, webhookJob } from '../job-rows.ts'
import { type ReadingTurns, rowsWeight } from '../reading-turns.ts'
import { SWEPT, type Swept, sweptEntries } from '../swept-entries.ts'
import { TENANTS_LOOKED_AT_MAX } from '../tenant-of.ts'
import { type HandOut, orderingKeyChanges } from './ordering-keys.ts'
import type { PutJob } from './queue.ts'
import type { Store } from '../store.ts'

type Jobs = Pick<
  Store,
  | 'takeJobs'
  | 'finishJob'
  | 'finishBehind'
  | 'postponeJob'
  | 'putBackJob'
  | 'deadLetterJob'
  | 'deadLetters'
  | 'jobsOf'
  | 'dueAt'
  | 'reviveJobs'
  | 'addWebhooks'
  | 'jobCounts'
  | 'sweep'
>

/** @param inBatch  runs a write in the next batch and resolves when that is durable */
export function sqliteJobs(
  db: DatabaseSync,
  {
    inBatch,
    turns,
    put,
  }: {
    readonly inBatch: <Result>(write: () => Result) => Promise<Result>
    readonly turns: ReadingTurns
    readonly put: PutJob
  },
): Jobs {
  const handOut = jobHandOut(db)
  const take = jobTaker(db, handOut)
  const { finish, postpone, putBack, deadLetter } = orderingKeyChanges(db, handOut)
  const revive = jobReviver(db, put)
  const behind = db.prepare(
    `DELETE FROM errands WHERE sequence = ? AND lane = ? AND dead = 0
    AND sequence > (SELECT min(sequence) FROM errands WHERE lane = ? AND dead = 0)`,
  )
  const dead = db.prepare(
    `SELECT ${fieldList(jobColumns)} FROM errands WHERE dead = 1 AND sequence > ? ORDER BY sequence LIMIT ?`,
  )
  const ofOrderingKey = (dead: 0 | 1) =>
    db.prepare(
      `SELECT ${fieldList(jobColumns)} FROM errands WHERE lane = ? AND dead = ${dead} AND sequence > ? ORDER BY sequence LIMIT ?`,
    )
  const apart = { waiting: ofOrderingKey(0), dead: ofOrderingKey(1) }
  const due = db.prepare('SELECT due_at AS "dueAt" FROM lanes WHERE lane = ?')
  const count = jobCounter(db, turns)
  const sweep = sweeper(db)
  const deadLetterJob: Store['deadLetterJob'] = async (sequence, { failure }) => {
    checkFailure(failure)
    await inBatch(() => deadLetter(sequence, failure))
  }

  return {
    takeJobs: async (request) => {
      checkInstant(request.now + request.leaseMs)
      return await jobsHandedOut(await inBatch(() => take(request)), deadLetterJob)
    },
    finishJob: async (sequence, next) => {
      if (next !== undefined) checkInstant(next.now + next.leaseMs)
      const record = await inBatch(() => finish(sequence, next))
      return record === undefined ? undefined : (await jobsHandedOut([record], deadLetterJob))[0]
    },
    finishBehind: async (orderingKey, sequences) => {
      await inBatch(() => {
        for (const sequence of sequences) behind.run(sequence, orderingKey, orderingKey)
      })
    },
    postponeJob: async (job, { dueAt, failure }) => {
      checkInstant(dueAt)
      checkFailure(failure)
      await inBatch(() => postpone(job, dueAt, failure))
    },
    putBackJob: async (job, dueAt) => {
      checkInstant(dueAt)
      await inBatch(() => putBack(job, dueAt))
    },
    deadLetterJob,
    deadLetters: async ({ limit, after = 0 }) =>
      (await turns('', () => dead.all(after, limit), rowsWeight)).map(knownJob).map(jobOf),
    jobsOf: async (orderingKey, of, { limit, after = 0 }) =>
      (await turns('', () => apart[of].all(orderingKey, after, limit), rowsWeight)).map(knownJob).map(jobOf),
    dueAt: async (orderingKey) => {
      const row = due.get(orderingKey)
      return row === undefined ? undefined : Number(row['dueAt'])
    },
    reviveJobs: async (sequences, now) => {
      checkInstant(now)
      return await inBatch(() => revive(sequences, now))
    },
    addWebhooks: async (webhooks, now) => {
      checkInstant(now)
      webhooks.forEach(checkWebhook)
      await inBatch(() => {
        for (const webhook of webhooks) put(webhookJob(webhook, now), { dueAt: now, tenant: webhook.scope })
      })
    },
    jobCounts: async () => countJobs(await count()),
    sweep: async (request) => await inBatch(() => sweep(request)),
  }
}

function sweeper(db: DatabaseSync): (request: Parameters<Store['sweep']>[0]) => number {
  const removeExpired = db.prepare(
    `DELETE FROM objects WHERE rowid IN (SELECT rowid FROM objects WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
    RETURNING ${SWEPT}`,
  )
  const removeEntry = db.prepare(
    'DELETE FROM directory WHERE scope = ? AND kind = ? AND value = ? AND target = ?',
  )
  return ({ now, limit }) => {
    // The table is STRICT and its columns are read under the names of the fields.
    const swept = removeExpired.all(now, limit).map((row: object) => row as Swept)
    for (const { scope, kind, value, target } of sweptEntries(swept))
      removeEntry.run(scope, kind, value, target)
    return swept.length
  }
}

function jobCounter(db: DatabaseSync, turns: ReadingTurns): () => Promise<readonly JobGroup[]> {
  const first = db.prepare(
    `SELECT count(*) AS count, min(created_at) AS "oldestAt" FROM (
      SELECT created_at FROM errands WHERE kind = ? AND dead = ? ORDER BY created_at LIMIT ${JOBS_COUNTED_MAX})`,
  )
  return async () => {
    const groups: JobGroup[] = []
    for (const kind of JOB_KINDS)
      for (const dead of [0, 1] as const) {
        const row = await turns(
          '',
          () => first.get(kind, dead),
          (counted) => 1 + Number(counted?.['count']) / COUNTED_OF_A_ROW,
        )
        const counted = Number(row?.['count'])
        if (counted > 0) groups.push({ kind, dead, count: counted, oldestAt: Number(row?.['oldestAt']) })
      }
    return groups
  }
}

/** This many are counted in the time of reading one row. */
const COUNTED_OF_A_ROW = 100

/** Hands out the first job of an ordering key, inside a batch; undefined if none waits. */
function jobHandOut(db: DatabaseSync): HandOut {
  const lease = db.prepare('UPDATE lanes SET due_at = ?, taken_at = ? WHERE lane = ?')
  const first = db.prepare(
    `SELECT ${fieldList(jobColumns)} FROM errands WHERE lane = ? AND dead = 0 ORDER BY sequence LIMIT 1`,
  )
  const count = db.prepare('UPDATE errands SET attempts = attempts + 1 WHERE sequence = ?')
  return (orderingKey, { now, leaseMs }) => {
    // Also where no job waits: an ordering key that was left behind would be looked at each time, before others.
    lease.run(now + leaseMs, now, orderingKey)
    const row = first.get(orderingKey)
    if (row === undefined) return undefined
    const job = knownJob(row)
    count.run(job.sequence)
    return job
  }
}

function jobTaker(
  db: DatabaseSync,
  handOut: HandOut,
): (request: Parameters<Store['takeJobs']>[0]) => readonly JobRecord[] {
  const due = db.prepare(
    'SELECT lane AS orderingKey FROM lanes WHERE due_at <= ? ORDER BY due_at, lane LIMIT ?',
  )
  const nextTenants = tenantTurns(db)

  return ({ now, leaseMs, limit }) => {
    const earliest = due.all(now, limit).map(({ orderingKey }) => String(orderingKey))
    // There may be more than one look hands out: the tenants take turns.
    const inTurn = earliest.length < limit ? [] : nextTenants(now, limit)
    return [...new Set([...inTurn, ...earliest])]
      .slice(0, limit)
      .map((orderingKey) => handOut(orderingKey, { now, leaseMs }))
      .filter((job) => job !== undefined)
  }
}

/** The first due ordering key of each of the next tenants. */
function tenantTurns(db: DatabaseSync): (now: number, limit: number) => readonly string[] {
  const after = db.prepare('SELECT tenant FROM lanes WHERE tenant > ? ORDER BY tenant LIMIT 1')
  const firstDue = db.prepare(
    'SELECT lane FROM lanes WHERE tenant = ? AND due_at <= ? ORDER BY due_at, lane LIMIT 1',
  )
  let last = ''
  return (now, limit) => {
    const orderingKeys: string[] = []
    for (let looked = 0; looked < TENANTS_LOOKED_AT_MAX && orderingKeys.length < limit; looked++) {
      // After the last tenant comes the first one again, in the next look.
      last = String(after.get(last)?.['tenant'] ?? '')
      if (last === '') break
      const found = firstDue.get(last, now)
      if (found !== undefined) orderingKeys.push(String(found['lane']))
    }
    return orderingKeys
  }
}

// A revived job gets a new number, since it goes to the end of its ordering key, and its attempts are counted from
// zero.
function jobReviver(db: DatabaseSync, put: PutJob): (sequences: readonly number[], now: number) => number {
  const remove = db.prepare(
    `DELETE FROM errands WHERE sequence = ? AND dead = 1 RETURNING ${fieldList(jobColumns)}`,
  )
  return (sequences, now) => {
    const found = [...sequences]
      .sort((a, b) => a - b)
      .map((sequence) => remove.get(sequence))
      .filter((row) => row !== undefined)
      .map(knownJob)
    for (const job of found) put(job, { dueAt: now, tenant: job.scope ?? job.organizationId })
    return found.length
  }
}

// The cast holds because the table is STRICT and its columns are read under the names of the fields.
function knownJob(row: object): JobRecord {
  return row as JobRecord
}
