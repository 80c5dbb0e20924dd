import type { DatabaseSync } from 'node:sqlite'
import { columnList } from '../columns.ts'
import { type NewJob, newJobColumns } from '../job-columns.ts'
import { newJobValues } from '../job-rows.ts'

/**
 * Puts a job at the end of its ordering key, inside a batch; an ordering key that was empty is due at `dueAt`, in the
 * turn of this tenant.
 */
export type PutJob = (job: NewJob, opened: { readonly dueAt: number; readonly tenant: string }) => void

export function jobQueue(db: DatabaseSync): PutJob {
  const columns = Object.keys(newJobColumns)
  const add = db.prepare(
    `INSERT INTO errands (${columnList(newJobColumns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const open = db.prepare('INSERT OR IGNORE INTO lanes (lane, due_at, tenant) VALUES (?, ?, ?)')
  return (job, { dueAt, tenant }) => {
    add.run(...newJobValues(job))
    open.run(job.orderingKey, dueAt, tenant)
  }
}
