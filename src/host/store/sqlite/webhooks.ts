import type { DatabaseSync } from 'node:sqlite'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import { webhookOf } from '../job-rows.ts'
import { WEBHOOK_ENTRY } from '../ordering-keys.ts'
import { tenantOf } from '../tenant-of.ts'
import type { PutJob } from './queue.ts'

export type SqliteWebhooks = {
  /** Writes the webhook jobs of a unit, inside a batch, after the rest of the unit is written. */
  readonly write: (activity: Unit['activity']) => void
  /** Cached parts of the directory may be out of date. */
  readonly forget: () => void
}

/**
 * Every signature passes here, and few organizations have webhooks. So the targets of a scope are cached: only this
 * process holds the file, and one writer alone changes the directory and then clears this cache.
 */
export function sqliteWebhooks(db: DatabaseSync, put: PutJob): SqliteWebhooks {
  const { kind, value } = WEBHOOK_ENTRY
  const read = db.prepare(
    `SELECT target FROM directory WHERE scope = ? AND kind = '${kind}' AND value = '${value}' ORDER BY target`,
  )
  const known = new Map<string, readonly string[]>()

  const targetsOf = (scope: string): readonly string[] => {
    const remembered = known.get(scope)
    if (remembered !== undefined) return remembered
    if (known.size >= SCOPES_MAX) known.clear()
    const targets = read.all(scope).map((row) => String(row['target']))
    known.set(scope, targets)
    return targets
  }

  return {
    write: (activity) => {
      if (activity === undefined) return
      const { row, audience } = activity
      for (let at = 0; at < audience.length; at++) {
        const scope = audience[at]
        if (scope === undefined || audience.indexOf(scope) !== at) continue
        for (const target of targetsOf(scope))
          put(webhookOf(row, { scope, target }), {
            dueAt: row.updatedAt,
            tenant: tenantOf(activity, scope),
          })
      }
    },
    forget: () => known.clear(),
  }
}

/** A few megabytes at most, with ids as scopes. */
const SCOPES_MAX = 10_000
