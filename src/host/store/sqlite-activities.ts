import type { DatabaseSync } from 'node:sqlite'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { activityColumns, fieldList } from './columns.ts'
import type { ReadingTurns } from './reading-turns.ts'
import { sqliteListing } from './sqlite-listing.ts'
import type { Store } from './store.ts'

type Activities = Pick<Store, 'activity' | 'activityOfRequest' | 'awaitedActivity' | 'activities'>

// `async`, although nothing is awaited, so that what SQLite throws becomes a rejection as on the other engine.
export function sqliteActivities(db: DatabaseSync, turns: ReadingTurns): Activities {
  const select = `SELECT ${fieldList(activityColumns)} FROM activities`
  const byId = db.prepare(`${select} WHERE organization_id = ? AND activity_id = ?`)
  const byRequest = db.prepare(`${select} WHERE organization_id = ? AND timestamp_ms = ? AND fingerprint = ?`)
  const awaited = db.prepare(
    `${select} WHERE organization_id = ? AND fingerprint = ? AND awaited = 1 ORDER BY activity_id DESC LIMIT 1`,
  )
  const rowOf = (organizationId: string, activityId: string): ActivityRow | undefined =>
    activityOf(byId.get(organizationId, activityId))
  return {
    activity: async (organizationId, activityId) => rowOf(organizationId, activityId),
    activityOfRequest: async ({ organizationId, timestampMs, fingerprint }) =>
      activityOf(byRequest.get(organizationId, timestampMs, fingerprint)),
    awaitedActivity: async (organizationId, fingerprint) =>
      activityOf(awaited.get(organizationId, fingerprint)),
    activities: sqliteListing(db, turns, rowOf),
  }
}

// SQLite's rows have no prototype; those of the catalogue are plain objects. The cast holds because the table is STRICT
// and its columns are read under the names of the fields.
function activityOf(row: object | undefined): ActivityRow | undefined {
  return row === undefined ? undefined : ({ ...row } as ActivityRow)
}
