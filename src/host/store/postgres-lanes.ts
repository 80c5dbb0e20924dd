import type pg from 'pg'
import { holdLane } from './postgres-queue.ts'

/**
 * How an errand that was handed out ends, or does not; each is part of a transaction, and does nothing when the errand is
 * gone. First the lane is held, against those who would put an errand into it while it is found empty; then its row is
 * locked, against those who would take from it.
 */
export async function finishErrand(client: pg.ClientBase, sequence: number): Promise<void> {
  const held = await holdLaneOf(client, sequence)
  await client.query({ ...REMOVE, values: [sequence] })
  await moveOn(client, held, sequence)
}

export async function buryErrand(client: pg.ClientBase, sequence: number, failure: string): Promise<void> {
  const held = await holdLaneOf(client, sequence)
  await client.query({ ...KILL, values: [sequence, failure] })
  await moveOn(client, held, sequence)
}

export async function postponeErrand(
  client: pg.ClientBase,
  sequence: number,
  { dueAt, failure }: { readonly dueAt: number; readonly failure: string },
): Promise<void> {
  const held = await holdLaneOf(client, sequence)
  await client.query({ ...FAIL, values: [sequence, failure] })
  if (held?.first === sequence) await client.query({ ...WAIT, values: [held.lane, dueAt] })
}

type HeldLane = { readonly lane: string; readonly first: number; readonly second: number | null }

async function holdLaneOf(client: pg.ClientBase, sequence: number): Promise<HeldLane | undefined> {
  const { rows } = await client.query<{ lane: string }>({ ...HOLD, values: [sequence] })
  const [found] = rows
  if (found === undefined) return undefined
  return (await client.query<HeldLane>({ ...LOCK, values: [found.lane] })).rows[0]
}

// Only the first errand of a lane moves it. Another one may be named too, but that must not end the lease of the first.
async function moveOn(client: pg.ClientBase, held: HeldLane | undefined, sequence: number): Promise<void> {
  if (held?.first !== sequence) return
  await client.query({ ...(held.second === null ? END : DUE), values: [held.lane] })
}

const HOLD = {
  name: 'hold lane of errand',
  text: `SELECT lane, ${holdLane('lane')} FROM errands WHERE sequence = $1`,
}
const waiting = 'SELECT sequence FROM errands WHERE lane = $1 AND dead = 0 ORDER BY sequence LIMIT 1'
const LOCK = {
  name: 'lock lane',
  text: `SELECT lane, (${waiting}) AS first, (${waiting} OFFSET 1) AS second FROM lanes WHERE lane = $1 FOR UPDATE`,
}
const REMOVE = { name: 'remove errand', text: 'DELETE FROM errands WHERE sequence = $1' }
// By a range with an order, since of an equality a planner that knows only an empty table takes an index that has to be walked.
const ONE =
  '(SELECT ctid FROM errands WHERE sequence >= $1 AND sequence <= $1 ORDER BY sequence LIMIT 1 FOR NO KEY UPDATE)'
const KILL = {
  name: 'kill errand',
  text: `UPDATE errands SET dead = 1, failure = $2 WHERE ctid = ${ONE} AND dead = 0`,
}
const FAIL = {
  name: 'fail errand',
  text: `UPDATE errands SET failure = $2 WHERE ctid = ${ONE} AND dead = 0`,
}
const WAIT = { name: 'let lane wait', text: 'UPDATE lanes SET due_at = $2 WHERE lane = $1' }
// Due at once means: since it was last handed out. So lanes take turns, and a long one does not go before all others.
const DUE = {
  name: 'make lane due',
  text: 'UPDATE lanes SET due_at = coalesce(taken_at, due_at) WHERE lane = $1',
}
const END = { name: 'end lane', text: 'DELETE FROM lanes WHERE lane = $1' }
