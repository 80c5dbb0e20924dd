import type { DatabaseSync } from 'node:sqlite'
import { checkFailure, checkInstant, checkWebhook } from './check-errands.ts'
import { fieldList } from './columns.ts'
import { countErrands, ERRAND_KINDS, type ErrandGroup, ERRANDS_COUNTED_MAX } from './errand-counts.ts'
import { type ErrandRecord, errandColumns, errandOf, webhookErrand } from './errand-rows.ts'
import { type ReadingTurns, rowsWeight } from './reading-turns.ts'
import { laneChanges } from './sqlite-lanes.ts'
import type { PutErrand } from './sqlite-queue.ts'
import type { Errand, Store } from './store.ts'

type Errands = Pick<
  Store,
  | 'takeErrands'
  | 'finishErrand'
  | 'postponeErrand'
  | 'buryErrand'
  | 'deadErrands'
  | 'reviveErrands'
  | 'addWebhooks'
  | 'errandCounts'
  | 'sweep'
>

/** @param inBatch  runs a write in the next batch and resolves when that is durable */
export function sqliteErrands(
  db: DatabaseSync,
  {
    inBatch,
    turns,
    put,
  }: {
    readonly inBatch: <Result>(write: () => Result) => Promise<Result>
    readonly turns: ReadingTurns
    readonly put: PutErrand
  },
): Errands {
  const take = errandTaker(db)
  const { finish, postpone, bury } = laneChanges(db)
  const revive = errandReviver(db, put)
  const dead = db.prepare(
    `SELECT ${fieldList(errandColumns)} FROM errands WHERE dead = 1 AND sequence > ? ORDER BY sequence LIMIT ?`,
  )
  const count = errandCounter(db, turns)
  const sweep = db.prepare(
    'DELETE FROM objects WHERE rowid IN (SELECT rowid FROM objects WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)',
  )

  return {
    takeErrands: async (request) => {
      checkInstant(request.now + request.leaseMs)
      return await inBatch(() => take(request))
    },
    finishErrand: async (sequence) => await inBatch(() => finish(sequence)),
    postponeErrand: async (sequence, { dueAt, failure }) => {
      checkInstant(dueAt)
      checkFailure(failure)
      await inBatch(() => postpone(sequence, dueAt, failure))
    },
    buryErrand: async (sequence, { failure }) => {
      checkFailure(failure)
      await inBatch(() => bury(sequence, failure))
    },
    deadErrands: async ({ limit, after = 0 }) =>
      (await turns('', () => dead.all(after, limit), rowsWeight)).map(knownErrand).map(errandOf),
    reviveErrands: async (sequences, now) => {
      checkInstant(now)
      return await inBatch(() => revive(sequences, now))
    },
    addWebhooks: async (webhooks, now) => {
      checkInstant(now)
      webhooks.forEach(checkWebhook)
      await inBatch(() => {
        for (const webhook of webhooks) put(webhookErrand(webhook, now), now)
      })
    },
    errandCounts: async () => countErrands(await count()),
    sweep: async ({ now, limit }) => await inBatch(() => Number(sweep.run(now, limit).changes)),
  }
}

function errandCounter(db: DatabaseSync, turns: ReadingTurns): () => Promise<readonly ErrandGroup[]> {
  const first = db.prepare(
    `SELECT count(*) AS count, min(created_at) AS "oldestAt" FROM (
      SELECT created_at FROM errands WHERE kind = ? AND dead = ? ORDER BY created_at LIMIT ${ERRANDS_COUNTED_MAX})`,
  )
  return async () => {
    const groups: ErrandGroup[] = []
    for (const kind of ERRAND_KINDS)
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

/** As many are counted in the time that a row is read in. */
const COUNTED_OF_A_ROW = 100

function errandTaker(db: DatabaseSync): (request: Parameters<Store['takeErrands']>[0]) => readonly Errand[] {
  const due = db.prepare('SELECT lane FROM lanes WHERE due_at <= ? ORDER BY due_at, lane LIMIT ?')
  const lease = db.prepare('UPDATE lanes SET due_at = ?, taken_at = ? WHERE lane = ?')
  const first = db.prepare(
    `SELECT ${fieldList(errandColumns)} FROM errands WHERE lane = ? AND dead = 0 ORDER BY sequence LIMIT 1`,
  )
  const count = db.prepare('UPDATE errands SET attempts = attempts + 1 WHERE sequence = ?')
  return ({ now, leaseMs, limit }) =>
    due.all(now, limit).map(({ lane }) => {
      const errand = errandOf(knownErrand(first.get(String(lane))))
      lease.run(now + leaseMs, now, String(lane))
      count.run(errand.sequence)
      return errand
    })
}

// A revived errand gets a new number, since it goes to the end of its lane, and is counted anew.
function errandReviver(
  db: DatabaseSync,
  put: PutErrand,
): (sequences: readonly number[], now: number) => number {
  const remove = db.prepare(
    `DELETE FROM errands WHERE sequence = ? AND dead = 1 RETURNING ${fieldList(errandColumns)}`,
  )
  return (sequences, now) => {
    const found = [...sequences]
      .sort((a, b) => a - b)
      .map((sequence) => remove.get(sequence))
      .filter((row) => row !== undefined)
      .map(knownErrand)
    for (const errand of found) put(errand, now)
    return found.length
  }
}

// A lane that is there has an errand. The cast holds because the table is STRICT and its columns are read under the names
// of the fields.
function knownErrand(row: object | undefined): ErrandRecord {
  return row as ErrandRecord
}
