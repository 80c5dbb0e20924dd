import type pg from 'pg'
import { fieldList } from '../columns.ts'
import { type JobRecord, jobColumns } from '../job-columns.ts'
import type { HandedOut, Lease } from '../store.ts'
import { lockOrderingKey } from './queue.ts'

/**
 * The ends of a job that was handed out; each is part of a transaction, and does nothing if the job is gone. The
 * ordering key is locked first, because otherwise a job could be added while the key is found empty. Then its row is
 * locked, because other hosts may take from it.
 */
export async function finishJob(
  client: pg.ClientBase,
  sequence: number,
  next?: Lease,
): Promise<JobRecord | undefined> {
  const held = await lockOrderingKeyOf(client, sequence)
  await client.query({ ...REMOVE, values: [sequence] })
  if (next !== undefined && held?.first === sequence && held.second !== null)
    return (await takeFirst(client, [held.orderingKey], next))[0]
  await moveOn(client, held, sequence)
  return undefined
}

export async function deadLetterJob(client: pg.ClientBase, sequence: number, failure: string): Promise<void> {
  const held = await lockOrderingKeyOf(client, sequence)
  await client.query({ ...KILL, values: [sequence, failure] })
  await moveOn(client, held, sequence)
}

export async function postponeJob(
  client: pg.ClientBase,
  { sequence, attempts }: HandedOut,
  { dueAt, failure }: { readonly dueAt: number; readonly failure: string },
): Promise<void> {
  const held = await lockOrderingKeyOf(client, sequence)
  const { rowCount } = await client.query({ ...FAIL, values: [sequence, failure, attempts] })
  if (rowCount !== 0 && held?.first === sequence)
    await client.query({ ...WAIT, values: [held.orderingKey, dueAt] })
}

export async function putBackJob(
  client: pg.ClientBase,
  { sequence, attempts }: HandedOut,
  dueAt: number,
): Promise<void> {
  const held = await lockOrderingKeyOf(client, sequence)
  if (held?.first !== sequence) return
  const { rowCount } = await client.query({ ...UNCOUNT, values: [sequence, attempts] })
  if (rowCount === 0) return
  await client.query({ ...WAIT, values: [held.orderingKey, dueAt] })
}

/** Hands out the first job of each of these ordering keys, whose rows are locked, in the same order. */
export async function takeFirst(
  client: pg.ClientBase,
  orderingKeys: readonly string[],
  { now, leaseMs }: Lease,
): Promise<readonly JobRecord[]> {
  const { rows } = await client.query<JobRecord>({
    ...TAKE_FIRST,
    values: [orderingKeys, now + leaseMs, now],
  })
  const taken = new Map(rows.map((row) => [row.orderingKey, row]))
  return orderingKeys.map((orderingKey) => taken.get(orderingKey)).filter((row) => row !== undefined)
}

/** Makes due again what was handed out under this lease, which was not tried. */
export async function giveBack(client: pg.ClientBase, { now, leaseMs }: Lease): Promise<void> {
  await client.query({ ...GIVE_BACK, values: [now + leaseMs, now] })
}

type LockedOrderingKey = {
  readonly orderingKey: string
  readonly first: number
  readonly second: number | null
}

async function lockOrderingKeyOf(
  client: pg.ClientBase,
  sequence: number,
): Promise<LockedOrderingKey | undefined> {
  const { rows } = await client.query<{ orderingKey: string }>({ ...HOLD, values: [sequence] })
  const [found] = rows
  if (found === undefined) return undefined
  return (await client.query<LockedOrderingKey>({ ...LOCK, values: [found.orderingKey] })).rows[0]
}

// Only the first job of an ordering key moves it. A call may name another job too, but must not end the lease of the
// first.
async function moveOn(
  client: pg.ClientBase,
  held: LockedOrderingKey | undefined,
  sequence: number,
): Promise<void> {
  if (held?.first !== sequence) return
  await client.query({ ...(held.second === null ? END : DUE), values: [held.orderingKey] })
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
SELECT ${fieldList({ ...jobColumns, attempts: 'attempts - 1' })} FROM taken`,
}
const GIVE_BACK = {
  name: 'give back',
  text: `WITH due AS (UPDATE lanes SET due_at = taken_at WHERE due_at = $1 AND taken_at = $2 RETURNING lane),
first AS (
  SELECT found.sequence
  FROM due
  CROSS JOIN LATERAL (SELECT sequence FROM errands WHERE errands.lane = due.lane AND dead = 0 ORDER BY sequence LIMIT 1) AS found
)
UPDATE errands SET attempts = attempts - 1 FROM first WHERE errands.sequence = first.sequence`,
}
const HOLD = {
  name: 'hold ordering key of job',
  text: `SELECT lane AS "orderingKey", ${lockOrderingKey('lane')} FROM errands WHERE sequence = $1`,
}
const waiting = 'SELECT sequence FROM errands WHERE lane = $1 AND dead = 0 ORDER BY sequence LIMIT 1'
const LOCK = {
  name: 'lock ordering key',
  text: `SELECT lane AS "orderingKey", (${waiting}) AS first, (${waiting} OFFSET 1) AS second FROM lanes WHERE lane = $1 FOR UPDATE`,
}
const REMOVE = { name: 'remove errand', text: 'DELETE FROM errands WHERE sequence = $1' }
// The sum keeps other indexes out of the plan (see `REMOVE_DEAD`).
const ONE = 'WHERE sequence = $1 AND dead + 0 = 0'
const KILL = {
  name: 'kill job',
  text: `UPDATE errands SET dead = 1, failure = $2 ${ONE}`,
}
const FAIL = {
  name: 'fail job',
  text: `UPDATE errands SET failure = $2 ${ONE} AND attempts = $3 + 1`,
}
const UNCOUNT = {
  name: 'uncount attempt',
  text: `UPDATE errands SET attempts = $2 ${ONE} AND attempts = $2 + 1`,
}
const WAIT = { name: 'let lane wait', text: 'UPDATE lanes SET due_at = $2 WHERE lane = $1' }
// Due at once means: at the time of its last hand-out. So ordering keys take turns, and a long one does not go before
// all others.
const DUE = {
  name: 'make ordering key due',
  text: 'UPDATE lanes SET due_at = coalesce(taken_at, due_at) WHERE lane = $1',
}
const END = { name: 'end lane', text: 'DELETE FROM lanes WHERE lane = $1' }
