import type { DatabaseSync } from 'node:sqlite'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import { fieldList } from '../columns.ts'
import { jobColumns, type JobRecord } from '../job-columns.ts'
import { webhookOrderingKey } from '../ordering-keys.ts'
import { tenantOf } from '../tenant-of.ts'
import type { PutJob } from './queue.ts'

/** Puts the dead webhooks that a unit revives at the end of their ordering key, inside a batch. */
export function webhookReviver(db: DatabaseSync, put: PutJob): (unit: Unit) => void {
  const remove = db.prepare(
    `DELETE FROM errands WHERE sequence = ? AND dead = 1 AND lane = ? RETURNING ${fieldList(jobColumns)}`,
  )
  return ({ revived, activity }) => {
    if (revived === undefined) return
    const orderingKey = webhookOrderingKey(revived)
    for (const sequence of [...revived.sequences].sort((a, b) => a - b)) {
      const row = remove.get(sequence, orderingKey)
      // The cast holds because the table is STRICT and its columns are read under the names of the fields.
      if (row !== undefined)
        put(row as JobRecord, {
          dueAt: activity?.row.updatedAt ?? Number(row['createdAt']),
          tenant: tenantOf(activity, revived.scope),
        })
    }
  }
}
