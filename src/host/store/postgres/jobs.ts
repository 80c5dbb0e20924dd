import type pg from 'pg'
import { present } from '../../../trusted/base/assert.ts'
import { checkFailure, checkInstant, checkWebhook } from '../check-jobs.ts'
import { fieldList } from '../columns.ts'
import { countJobs, JOB_KINDS, type JobGroup, JOBS_COUNTED_MAX } from '../job-counts.ts'
import { type JobRecord, jobColumns } from '../job-columns.ts'
import { jobOf, jobsHandedOut, webhookJob } from '../job-rows.ts'
import type { Connections } from './connection.ts'
import { deadLetterJob, finishJob, giveBack, postponeJob, putBackJob, takeFirst } from './ordering-keys.ts'
import { putJobs, SERVER_TIME } from './queue.ts'
import { SWEPT, type Swept, sweptEntries } from '../swept-entries.ts'
import { TENANTS_LOOKED_AT_MAX } from '../tenant-of.ts'
import { inTransaction } from './transaction.ts'
import { removeEntries } from './unit.ts'
import type { Lease, Store } from '../store.ts'

type Jobs = Pick<
  Store,
  | 'clock'
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

/** @param tracked  runs work that the closing of the store waits for, and translates its errors */
export function postgresJobs(
  { units, lists }: Pick<Connections, 'units' | 'lists'>,
  tracked: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Jobs {
  const turns = tenantTurns()
  const write = <Result>(body: (client: pg.ClientBase) => Promise<Result>): Promise<Result> =>
    tracked(() => inTransaction(units, async (client) => ({ keep: true, result: await body(client) })))
  // Without an answer to the commit nobody knows what was handed out: it would wait for the end of its lease.
  let lost: readonly Lease[] = []
  const leasing = async <Result>(
    { now, leaseMs }: Lease,
    body: (client: pg.ClientBase) => Promise<Result>,
  ): Promise<Result> => {
    let isWritten = false
    try {
      return await write(async (client) => {
        const result = await body(client)
        isWritten = true
        return result
      })
    } catch (error) {
      if (isWritten) lost = [...lost, { now, leaseMs }]
      throw error
    }
  }

  const deadLetter: Store['deadLetterJob'] = async (sequence, { failure }) => {
    checkFailure(failure)
    await write((client) => deadLetterJob(client, sequence, failure))
  }

  return {
    clock: async () =>
      present((await tracked(() => units.read<{ now: number }>(CLOCK))).rows[0], 'a row').now,
    takeJobs: async (request) => {
      checkInstant(request.now + request.leaseMs)
      const given = lost
      const taken = await leasing(request, async (client) => {
        for (const lease of given) await giveBack(client, lease)
        return await takeJobs(client, request, turns)
      })
      lost = lost.filter((lease) => !given.includes(lease))
      return await jobsHandedOut(taken, deadLetter)
    },
    finishJob: async (sequence, next) => {
      if (next === undefined) {
        await write((client) => finishJob(client, sequence))
        return undefined
      }
      checkInstant(next.now + next.leaseMs)
      const record = await leasing(next, (client) => finishJob(client, sequence, next))
      return record === undefined ? undefined : (await jobsHandedOut([record], deadLetter))[0]
    },
    postponeJob: async (job, retry) => {
      checkInstant(retry.dueAt)
      checkFailure(retry.failure)
      await write((client) => postponeJob(client, job, retry))
    },
    putBackJob: async (job, dueAt) => {
      checkInstant(dueAt)
      await write((client) => putBackJob(client, job, dueAt))
    },
    deadLetterJob: deadLetter,
    deadLetters: async ({ limit, after = 0 }) => {
      const { rows } = await tracked(() => lists.read<JobRecord>({ ...DEAD_JOBS, values: [after, limit] }))
      return rows.map(jobOf)
    },
    jobsOf: async (orderingKey, of, { limit, after = 0 }) => {
      const statement = of === 'dead' ? DEAD_OF : WAITING_OF
      const values = [orderingKey, after, limit]
      return (await tracked(() => lists.read<JobRecord>({ ...statement, values }))).rows.map(jobOf)
    },
    dueAt: async (orderingKey) =>
      (await tracked(() => lists.read<{ dueAt: number }>({ ...DUE_AT, values: [orderingKey] }))).rows[0]
        ?.dueAt,
    finishBehind: async (orderingKey, sequences) => {
      await tracked(() => units.write({ ...FINISH_BEHIND, values: [orderingKey, sequences] }))
    },
    reviveJobs: async (sequences, now) => {
      checkInstant(now)
      return await write((client) => reviveJobs(client, sequences, now))
    },
    addWebhooks: async (webhooks, now) => {
      checkInstant(now)
      webhooks.forEach(checkWebhook)
      const jobs = webhooks.map((webhook) => ({ ...webhookJob(webhook, now), tenant: webhook.scope }))
      if (jobs.length > 0) await write((client) => putJobs(client, jobs, now))
    },
    jobCounts: async () =>
      countJobs(
        (await tracked(() => lists.read<JobGroup>({ ...COUNT_JOBS, values: [[...JOB_KINDS]] }))).rows,
      ),
    sweep: ({ now, limit }) =>
      write(async (client) => {
        const { rows } = await client.query<Swept>({ ...SWEEP, values: [now, limit] })
        await removeEntries(client, sweptEntries(rows))
        return rows.length
      }),
  }
}

// In two statements: the second sees the ordering keys, and so their first jobs, after they were locked.
async function takeJobs(
  client: pg.ClientBase,
  { now, leaseMs, limit }: Parameters<Store['takeJobs']>[0],
  turns: TenantTurns,
): Promise<readonly JobRecord[]> {
  const due = await client.query<DueKey>({ ...LOCK_DUE_ORDERING_KEYS, values: [now, limit] })
  if (due.rows.length === 0) return []
  // There may be more than one look hands out: the tenants take turns.
  const inTurn = due.rows.length < limit ? [] : await turns(client, { now, limit })
  const orderingKeys = [...new Set([...inTurn, ...due.rows.map((row) => row.orderingKey)])].slice(0, limit)
  return await takeFirst(client, orderingKeys, { now, leaseMs })
}

type DueKey = { readonly orderingKey: string }

/** Locks the first due ordering key of each of the next tenants, and returns them. */
type TenantTurns = (
  client: pg.ClientBase,
  wanted: { readonly now: number; readonly limit: number },
) => Promise<readonly string[]>

function tenantTurns(): TenantTurns {
  let last = ''
  return async (client, { now, limit }) => {
    const { rows } = await client.query<{ tenant: string; isDue: number }>({
      ...NEXT_TENANTS,
      values: [last, now, TENANTS_LOOKED_AT_MAX],
    })
    const due = rows.filter(({ isDue }) => isDue === 1).slice(0, limit)
    // After the last tenant comes the first one again, in the next look.
    last = (due.length === limit ? due : rows.length < TENANTS_LOOKED_AT_MAX ? [] : rows).at(-1)?.tenant ?? ''
    if (due.length === 0) return []
    const locked = await client.query<DueKey>({
      ...LOCK_DUE_OF_TENANTS,
      values: [due.map(({ tenant }) => tenant), now],
    })
    return locked.rows.map(({ orderingKey }) => orderingKey)
  }
}

const NEXT_TENANTS = {
  name: 'next tenants',
  text: `WITH RECURSIVE next AS (
  (SELECT tenant, 1 AS place FROM lanes WHERE tenant > $1 ORDER BY tenant LIMIT 1)
  UNION ALL
  SELECT found.tenant, place + 1 FROM next
  CROSS JOIN LATERAL (SELECT tenant FROM lanes WHERE lanes.tenant > next.tenant ORDER BY tenant LIMIT 1) AS found
  WHERE place < $3::bigint
)
SELECT tenant, (SELECT count(*) FROM (SELECT FROM lanes WHERE lanes.tenant = next.tenant AND due_at <= $2 LIMIT 1) AS one) AS "isDue"
FROM next ORDER BY place`,
}
const LOCK_DUE_OF_TENANTS = {
  name: 'lock due of tenants',
  text: `SELECT found.lane AS "orderingKey" FROM unnest($1::text[]) AS due (tenant)
CROSS JOIN LATERAL (
  SELECT lane FROM lanes WHERE lanes.tenant = due.tenant AND due_at <= $2 ORDER BY due_at, lane LIMIT 1 FOR UPDATE SKIP LOCKED
) AS found`,
}

// A revived job gets a new number, since it goes to the end of its ordering key, and its attempts are counted from
// zero.
async function reviveJobs(client: pg.ClientBase, sequences: readonly number[], now: number): Promise<number> {
  const { rows } = await client.query<JobRecord>({ ...REMOVE_DEAD, values: [sequences] })
  const jobs = [...rows]
    .sort((a, b) => a.sequence - b.sequence)
    .map((job) => ({ ...job, tenant: job.scope ?? job.organizationId }))
  await putJobs(client, jobs, now)
  return jobs.length
}

const LOCK_DUE_ORDERING_KEYS = {
  name: 'lock due ordering keys',
  text: 'SELECT lane AS "orderingKey" FROM lanes WHERE due_at <= $1 ORDER BY due_at, lane LIMIT $2 FOR UPDATE SKIP LOCKED',
}
const CLOCK = { name: 'clock', text: `SELECT ${SERVER_TIME} AS now` }
const DEAD_JOBS = {
  name: 'dead letters',
  text: `SELECT ${fieldList(jobColumns)} FROM errands WHERE dead = 1 AND sequence > $1 ORDER BY sequence LIMIT $2`,
}
const DEAD_OF = { name: 'dead letters of an ordering key', text: jobsOf(1) }
const WAITING_OF = { name: 'waiting jobs of an ordering key', text: jobsOf(0) }
const DUE_AT = { name: 'due at', text: 'SELECT due_at AS "dueAt" FROM lanes WHERE lane = $1' }

function jobsOf(dead: 0 | 1): string {
  return `SELECT ${fieldList(jobColumns)} FROM errands
WHERE lane = $1 AND dead = ${dead} AND sequence > $2 ORDER BY sequence LIMIT $3`
}

// The sum keeps the indexes of dead letters out of its plan: on an empty database they cost as little as the primary
// key, and the plan is kept while they grow.
const REMOVE_DEAD = {
  name: 'remove dead jobs',
  text: `DELETE FROM errands WHERE dead + 0 = 1 AND sequence = ANY($1::bigint[]) RETURNING ${fieldList(jobColumns)}`,
}
// The first job stays, so this statement never empties the ordering key and needs no lock. The reason for the sum is
// above.
const FINISH_BEHIND = {
  name: 'finish behind',
  text: `DELETE FROM errands WHERE lane || '' = $1 AND dead + 0 = 0 AND sequence = ANY($2::bigint[])
AND sequence > (SELECT sequence FROM errands WHERE lane = $1 AND dead = 0 ORDER BY sequence LIMIT 1)`,
}
const COUNT_JOBS = {
  name: 'count jobs',
  text: `SELECT kind, dead, count, "oldestAt"
FROM unnest($1::text[]) AS kinds (kind) CROSS JOIN (VALUES (0::bigint), (1)) AS states (dead)
CROSS JOIN LATERAL (
  SELECT count(*) AS count, min(created_at) AS "oldestAt" FROM (
    SELECT created_at FROM errands WHERE errands.kind = kinds.kind AND errands.dead = states.dead
    ORDER BY created_at LIMIT ${JOBS_COUNTED_MAX}
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
WHERE objects.organization_id = gone.organization_id AND objects.kind = gone.kind AND objects.object_id = gone.object_id
RETURNING ${SWEPT}`,
}
