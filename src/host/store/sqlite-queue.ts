import type { DatabaseSync } from 'node:sqlite'
import { columnList } from './columns.ts'
import { type NewErrand, newErrandColumns, newErrandValues } from './errand-rows.ts'

/** Puts an errand at the end of its lane, inside a batch; a lane that was empty is due at `dueAt`. */
export type PutErrand = (errand: NewErrand, dueAt: number) => void

export function errandQueue(db: DatabaseSync): PutErrand {
  const columns = Object.keys(newErrandColumns)
  const add = db.prepare(
    `INSERT INTO errands (${columnList(newErrandColumns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const open = db.prepare('INSERT OR IGNORE INTO lanes (lane, due_at) VALUES (?, ?)')
  return (errand, dueAt) => {
    add.run(...newErrandValues(errand))
    open.run(errand.lane, dueAt)
  }
}
