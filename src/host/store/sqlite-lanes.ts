import type { DatabaseSync } from 'node:sqlite'

/** How an errand that was handed out ends, or does not; each is a write inside a batch, and does nothing when the errand is gone. */
export type LaneChanges = {
  readonly finish: (sequence: number) => void
  readonly postpone: (sequence: number, dueAt: number, failure: string) => void
  readonly bury: (sequence: number, failure: string) => void
}

export function laneChanges(db: DatabaseSync): LaneChanges {
  const laneLedBy = laneFinder(db)
  const remove = db.prepare('DELETE FROM errands WHERE sequence = ?')
  const fail = db.prepare('UPDATE errands SET failure = ? WHERE sequence = ? AND dead = 0')
  const kill = db.prepare('UPDATE errands SET dead = 1, failure = ? WHERE sequence = ? AND dead = 0')
  const wait = db.prepare('UPDATE lanes SET due_at = ? WHERE lane = ?')
  const moveOn = laneMover(db)

  return {
    finish: (sequence) => {
      const lane = laneLedBy(sequence)
      remove.run(sequence)
      moveOn(lane)
    },
    postpone: (sequence, dueAt, failure) => {
      const lane = laneLedBy(sequence)
      fail.run(failure, sequence)
      if (lane !== undefined) wait.run(dueAt, lane)
    },
    bury: (sequence, failure) => {
      const lane = laneLedBy(sequence)
      kill.run(failure, sequence)
      moveOn(lane)
    },
  }
}

// Only the first errand of a lane moves it. Another one may be named too, but that must not end the lease of the first.
function laneFinder(db: DatabaseSync): (sequence: number) => string | undefined {
  const read = db.prepare(`SELECT lane FROM errands AS errand WHERE sequence = ? AND dead = 0
    AND sequence = (SELECT min(sequence) FROM errands WHERE lane = errand.lane AND dead = 0)`)
  return (sequence) => {
    const row = read.get(sequence)
    return row === undefined ? undefined : String(row['lane'])
  }
}

// Due at once means: since it was last handed out. So lanes take turns, and a long one does not go before all others.
function laneMover(db: DatabaseSync): (lane: string | undefined) => void {
  const waiting = db.prepare('SELECT 1 FROM errands WHERE lane = ? AND dead = 0 LIMIT 1')
  const due = db.prepare('UPDATE lanes SET due_at = coalesce(taken_at, due_at) WHERE lane = ?')
  const end = db.prepare('DELETE FROM lanes WHERE lane = ?')
  return (lane) => {
    if (lane === undefined) return
    const change = waiting.get(lane) === undefined ? end : due
    change.run(lane)
  }
}
