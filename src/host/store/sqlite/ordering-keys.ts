import type { DatabaseSync } from 'node:sqlite'
import type { JobRecord } from '../job-columns.ts'
import type { HandedOut, Lease } from '../store.ts'

export type HandOut = (orderingKey: string, lease: Lease) => JobRecord | undefined

/** The ends of a job that was handed out; each is a write inside a batch, and does nothing if the job is gone. */
type OrderingKeyChanges = {
  readonly finish: (sequence: number, next?: Lease) => JobRecord | undefined
  readonly postpone: (handedOut: HandedOut, dueAt: number, failure: string) => void
  readonly putBack: (handedOut: HandedOut, dueAt: number) => void
  readonly deadLetter: (sequence: number, failure: string) => void
}

export function orderingKeyChanges(db: DatabaseSync, handOut: HandOut): OrderingKeyChanges {
  const orderingKeyLedBy = orderingKeyFinder(db)
  const remove = db.prepare('DELETE FROM errands WHERE sequence = ?')
  const fail = db.prepare('UPDATE errands SET failure = ? WHERE sequence = ? AND dead = 0 AND attempts = ?')
  const uncount = db.prepare('UPDATE errands SET attempts = ? WHERE sequence = ? AND attempts = ?')
  const kill = db.prepare('UPDATE errands SET dead = 1, failure = ? WHERE sequence = ? AND dead = 0')
  const wait = db.prepare('UPDATE lanes SET due_at = ? WHERE lane = ?')
  const moveOn = orderingKeyMover(db)

  return {
    finish: (sequence, next) => {
      const orderingKey = orderingKeyLedBy(sequence)
      remove.run(sequence)
      moveOn(orderingKey)
      return orderingKey === undefined || next === undefined ? undefined : handOut(orderingKey, next)
    },
    postpone: ({ sequence, attempts }, dueAt, failure) => {
      const orderingKey = orderingKeyLedBy(sequence)
      if (fail.run(failure, sequence, attempts + 1).changes === 0) return
      if (orderingKey !== undefined) wait.run(dueAt, orderingKey)
    },
    putBack: ({ sequence, attempts }, dueAt) => {
      const orderingKey = orderingKeyLedBy(sequence)
      if (orderingKey === undefined) return
      if (uncount.run(attempts, sequence, attempts + 1).changes === 0) return
      wait.run(dueAt, orderingKey)
    },
    deadLetter: (sequence, failure) => {
      const orderingKey = orderingKeyLedBy(sequence)
      kill.run(failure, sequence)
      moveOn(orderingKey)
    },
  }
}

// Only the first job of an ordering key moves it. A call may name another job too, but must not end the lease of the
// first.
function orderingKeyFinder(db: DatabaseSync): (sequence: number) => string | undefined {
  const read = db.prepare(`SELECT lane FROM errands AS errand WHERE sequence = ? AND dead = 0
    AND sequence = (SELECT min(sequence) FROM errands WHERE lane = errand.lane AND dead = 0)`)
  return (sequence) => {
    const row = read.get(sequence)
    return row === undefined ? undefined : String(row['lane'])
  }
}

// Due at once means: at the time of its last hand-out. So ordering keys take turns, and a long one does not go before
// all others.
function orderingKeyMover(db: DatabaseSync): (orderingKey: string | undefined) => void {
  const waiting = db.prepare('SELECT 1 FROM errands WHERE lane = ? AND dead = 0 LIMIT 1')
  const due = db.prepare('UPDATE lanes SET due_at = coalesce(taken_at, due_at) WHERE lane = ?')
  const end = db.prepare('DELETE FROM lanes WHERE lane = ?')
  return (orderingKey) => {
    if (orderingKey === undefined) return
    const change = waiting.get(orderingKey) === undefined ? end : due
    change.run(orderingKey)
  }
}
