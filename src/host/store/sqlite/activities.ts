import type { DatabaseSync } from 'node:sqlite'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { activityColumns, fieldList } from '../columns.ts'
import { ID_WEIGHT, type ReadingTurns } from '../reading-turns.ts'
import { sqliteListing } from './listing.ts'
import type { SqliteRecords } from './records.ts'
import type { ActivityRevision, Store } from '../store.ts'

type Activities = Pick<
  Store,
  'activity' | 'activityOfRequest' | 'awaitedActivity' | 'activities' | 'newestRevisions' | 'revisionsOf'
>

// `async`, although it awaits nothing, so that an exception of SQLite becomes a rejection as on the other engine.
export function sqliteActivities(
  db: DatabaseSync,
  turns: ReadingTurns,
  { expand }: Pick<SqliteRecords, 'expand'>,
): Activities {
  const select = `SELECT ${fieldList(activityColumns)} FROM activities`
  const byId = db.prepare(`${select} WHERE organization_id = ? AND activity_id = ?`)
  const byRequest = db.prepare(`${select} WHERE organization_id = ? AND timestamp_ms = ? AND fingerprint = ?`)
  const awaited = db.prepare(
    `${select} WHERE organization_id = ? AND fingerprint = ? AND awaited = 1 ORDER BY activity_id DESC LIMIT 1`,
  )
  const revision = 'SELECT activity_id AS "activityId", revision FROM activities WHERE organization_id = ?'
  const newest = db.prepare(`${revision} ORDER BY activity_id DESC LIMIT ?`)
  const revisionOf = db.prepare(`${revision} AND activity_id = ?`)
  // SQLite's rows have no prototype; those of the catalogue are plain objects. The cast holds because the table is
  // STRICT and its columns are read under the names of the fields.
  const activityOf = (row: object | undefined): ActivityRow | undefined =>
    row === undefined ? undefined : expand({ ...row } as ActivityRow)
  const rowOf = (organizationId: string, activityId: string): ActivityRow | undefined =>
    activityOf(byId.get(organizationId, activityId))
  return {
    activity: async (organizationId, activityId) => rowOf(organizationId, activityId),
    activityOfRequest: async ({ organizationId, timestampMs, fingerprint }) =>
      activityOf(byRequest.get(organizationId, timestampMs, fingerprint)),
    awaitedActivity: async (organizationId, fingerprint) =>
      activityOf(awaited.get(organizationId, fingerprint)),
    activities: sqliteListing(db, turns, rowOf),
    newestRevisions: async (organizationId, limit) =>
      (await turns(organizationId, () => newest.all(organizationId, limit), weightOfIds)).map(revisionIn),
    revisionsOf: async (organizationId, activityIds) => {
      const read = () => activityIds.map((id) => revisionOf.get(organizationId, id))
      return (await turns(organizationId, read, weightOfIds))
        .filter((row) => row !== undefined)
        .map(revisionIn)
    },
  }
}

function revisionIn(row: Readonly<Record<string, unknown>>): ActivityRevision {
  return { activityId: String(row['activityId']), revision: Number(row['revision']) }
}

function weightOfIds({ length }: readonly unknown[]): number {
  return 1 + length * ID_WEIGHT
}
