import type pg from 'pg'
import { checkFailure, checkInstant, checkWebhook } from './check-errands.ts'
import { fieldList } from './columns.ts'
import { countErrands, ERRAND_KINDS, type ErrandGroup, ERRANDS_COUNTED_MAX } from './errand-counts.ts'
import { type ErrandRecord, errandColumns, errandOf, webhookErrand } from './errand-rows.ts'
import type { Connections } from './postgres-connection.ts'
import { buryErrand, finishErrand, postponeErrand } from './postgres-lanes.ts'
import { putErrands } from './postgres-queue.ts'
import { inTransaction } from './postgres-transaction.ts'
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

/** @param tracked  runs a piece of work that closing the store waits for, and explains its errors */
export function postgresErrands(
  { units, lists }: Pick<Connections, 'units' | 'lists'>,
  tracked: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Errands {
  const write = <Result>(body: (client: pg.ClientBase) => Promise<Result>): Promise<Result> =>
    tracked(() => inTransaction(units, async (client) => ({ keep: true, result: await body(client) })))

  return {
    takeErrands: async (request) => {
      checkInstant(request.now + request.leaseMs)
      return await write((client) => takeErrands(client, request))
    },
    finishErrand: (sequence) => write((client) => finishErrand(client, sequence)),
    postponeErrand: async (sequence, retry) => {
      checkInstant(retry.dueAt)
      checkFailure(retry.failure)
      await write((client) => postponeErrand(client, sequence, retry))
    },
    buryErrand: async (sequence, { failure }) => {
      checkFailure(failure)
      await write((client) => buryErrand(client, sequence, failure))
    },
    deadErrands: async ({ limit, after = 0 }) => {
      const { rows } = await tracked(() =>
        lists.read<ErrandRecord>({ ...DEAD_ERRANDS, values: [after, limit] }),
      )
      return rows.map(errandOf)
    },
    reviveErrands: async (sequences, now) => {
      checkInstant(now)
      return await write((client) => reviveErrands(client, sequences, now))
    },
    addWebhooks: async (webhooks, now) => {
      checkInstant(now)
      webhooks.forEach(checkWebhook)
      const errands = webhooks.map((webhook) => webhookErrand(webhook, now))
      if (errands.length > 0) await write((client) => putErrands(client, errands, now))
    },
    errandCounts: async () =>
      countErrands(
        (await tracked(() => lists.read<ErrandGroup>({ ...COUNT_ERRANDS, values: [[...ERRAND_KINDS]] })))
          .rows,
      ),
    sweep: async ({ now, limit }) =>
      (await tracked(() => units.write({ ...SWEEP, values: [now, limit] }))).rowCount ?? 0,
  }
}

// In two statements: the second sees the lanes as they are once they are locked, and so their first errands.
async function takeErrands(
  client: pg.ClientBase,
  { now, leaseMs, limit }: Parameters<Store['takeErrands']>[0],
): Promise<readonly Errand[]> {
  const due = await client.query<{ lane: string }>({ ...LOCK_DUE_LANES, values: [now, limit] })
  if (due.rows.length === 0) return []
  const lanes = due.rows.map((row) => row.lane)
  const { rows } = await client.query<ErrandRecord>({ ...TAKE_FIRST, values: [lanes, now + leaseMs, now] })
  const taken = new Map(rows.map((row) => [row.lane, row]))
  return lanes
    .map((lane) => taken.get(lane))
    .filter((row) => row !== undefined)
    .map(errandOf)
}

// A revived errand gets a new number, since it goes to the end of its lane, and is counted anew.
async function reviveErrands(
  client: pg.ClientBase,
  sequences: readonly number[],
  now: number,
): Promise<number> {
  const { rows } = await client.query<ErrandRecord>({ ...REMOVE_DEAD, values: [sequences] })
  const errands = [...rows].sort((a, b) => a.sequence - b.sequence)
  if (errands.length > 0) await putErrands(client, errands, now)
  return errands.length
}

const LOCK_DUE_LANES = {
  name: 'lock due lanes',
  text: 'SELECT lane FROM lanes WHERE due_at <= $1 ORDER BY due_at, lane LIMIT $2 FOR UPDATE SKIP LOCKED',
}
const TAKE_FIRST = {
  name: 'take first',
  text: `WITH leased AS (UPDATE lanes SET due_at = $2, taken_at = $3 WHERE lane = ANY($1)),
first AS (
  SELECT found.sequence
  FROM unnest($1::text[]) AS due (lane)
  CROSS JOIN LATERAL (SELECT sequence FROM errands WHERE errands.lane = due.lane AND dead = 0 ORDER BY sequence LIMIT 1) AS found
),
taken AS (
  UPDATE errands SET attempts = attempts + 1 FROM first WHERE errands.sequence = first.sequence
  RETURNING errands.*
)
SELECT ${fieldList({ ...errandColumns, attempts: 'attempts - 1' })} FROM taken`,
}
const DEAD_ERRANDS = {
  name: 'dead errands',
  text: `SELECT ${fieldList(errandColumns)} FROM errands WHERE dead = 1 AND sequence > $1 ORDER BY sequence LIMIT $2`,
}
const REMOVE_DEAD = {
  name: 'remove dead errands',
  text: `DELETE FROM errands WHERE dead = 1 AND sequence = ANY($1::bigint[]) RETURNING ${fieldList(errandColumns)}`,
}
const COUNT_ERRANDS = {
  name: 'count errands',
  text: `SELECT kind, dead, count, "oldestAt"
FROM unnest($1::text[]) AS kinds (kind) CROSS JOIN (VALUES (0::bigint), (1)) AS states (dead)
CROSS JOIN LATERAL (
  SELECT count(*) AS count, min(created_at) AS "oldestAt" FROM (
    SELECT created_at FROM errands WHERE errands.kind = kinds.kind AND errands.dead = states.dead
    ORDER BY created_at LIMIT ${ERRANDS_COUNTED_MAX}
  ) AS first
) AS counted
WHERE count > 0`,
}
const SWEEP = {
  name: 'sweep',
  text: `WITH gone AS MATERIALIZED (
  SELECT organization_id, kind, object_id FROM objects WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
DELETE FROM objects USING gone
WHERE objects.organization_id = gone.organization_id AND objects.kind = gone.kind AND objects.object_id = gone.object_id`,
}
