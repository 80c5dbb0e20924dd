import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { ActivityRow } from '../catalogue/unit.ts'
import { activityColumns, fieldList } from './columns.ts'
import { idRange, mergeActivities, planListing, UNUSUAL_STATUS, UNUSUAL_TYPE } from './listing.ts'
import type { ActivityFilter, Page, Store } from './store.ts'

type Activities = Pick<Store, 'activity' | 'activityOfRequest' | 'awaitedActivity' | 'activities'>

// `async`, although nothing is awaited, so that what SQLite throws becomes a rejection as on the other engine.
export function sqliteActivities(db: DatabaseSync): Activities {
  const select = `SELECT ${fieldList(activityColumns)} FROM activities`
  const byId = db.prepare(`${select} WHERE organization_id = ? AND activity_id = ?`)
  const byRequest = db.prepare(`${select} WHERE organization_id = ? AND timestamp_ms = ? AND fingerprint = ?`)
  const awaited = db.prepare(
    `${select} WHERE organization_id = ? AND fingerprint = ? AND awaited = 1 ORDER BY activity_id DESC LIMIT 1`,
  )
  return {
    activity: async (organizationId, activityId) => activityOf(byId.get(organizationId, activityId)),
    activityOfRequest: async ({ organizationId, timestampMs, fingerprint }) =>
      activityOf(byRequest.get(organizationId, timestampMs, fingerprint)),
    awaitedActivity: async (organizationId, fingerprint) =>
      activityOf(awaited.get(organizationId, fingerprint)),
    activities: activityLister(db, select),
  }
}

function activityLister(db: DatabaseSync, select: string): Activities['activities'] {
  const tail = (order: 'DESC' | 'ASC') => `
    AND (? IS NULL OR status IN (SELECT value FROM json_each(?)))
    AND (? IS NULL OR type IN (SELECT value FROM json_each(?)))
    AND activity_id > ? AND activity_id < ? ORDER BY activity_id ${order} LIMIT ?`
  const bothWays = (head: string): readonly [StatementSync, StatementSync] => [
    db.prepare(`${select} ${head} ${tail('DESC')}`),
    db.prepare(`${select} ${head} ${tail('ASC')}`),
  ]
  const all = bothWays('WHERE organization_id = ?')
  const byStatus = bothWays(
    `INDEXED BY activities_by_status WHERE ${UNUSUAL_STATUS} AND organization_id = ? AND status = ?`,
  )
  const byType = bothWays(
    `INDEXED BY activities_by_type WHERE ${UNUSUAL_TYPE} AND organization_id = ? AND type = ?`,
  )

  return async (organizationId, filter, page) => {
    const { newestFirst } = idRange(page)
    const rest = tailValues(filter, page)
    const read = ([down, up]: readonly [StatementSync, StatementSync], ...head: readonly string[]) =>
      (newestFirst ? down : up).all(...head, ...rest).map(knownActivity)
    const listing = planListing(filter)
    switch (listing.kind) {
      case 'all': {
        const rows = read(all, organizationId)
        return newestFirst ? rows : rows.reverse()
      }
      case 'byStatus':
        return mergeActivities(
          listing.statuses.map((status) => read(byStatus, organizationId, status)),
          { page, newestFirst },
        )
      case 'byType':
        return mergeActivities(
          listing.types.map((type) => read(byType, organizationId, type)),
          { page, newestFirst },
        )
    }
  }
}

function tailValues({ statuses = [], types = [] }: ActivityFilter, page: Page): readonly SQLInputValue[] {
  const { above, below } = idRange(page)
  const wantedStatuses = statuses.length === 0 ? null : JSON.stringify(statuses)
  const wantedTypes = types.length === 0 ? null : JSON.stringify(types)
  return [wantedStatuses, wantedStatuses, wantedTypes, wantedTypes, above, below, page.limit]
}

function activityOf(row: object | undefined): ActivityRow | undefined {
  return row === undefined ? undefined : knownActivity(row)
}

// SQLite's rows have no prototype; those of the catalogue are plain objects. The cast holds because the table is STRICT
// and its columns are read under the names of the fields.
function knownActivity(row: object): ActivityRow {
  return { ...row } as ActivityRow
}
