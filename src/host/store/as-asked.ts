import { assert } from '../../trusted/base/assert.ts'
import type { ObjectRow } from '../../trusted/catalogue/unit.ts'
import { ABOVE_ALL_IDS, fits, idRange } from './listing.ts'
import type { Store } from './store.ts'

type Rows = Pick<
  Store,
  | 'charter'
  | 'charters'
  | 'activity'
  | 'activityOfRequest'
  | 'awaitedActivity'
  | 'activities'
  | 'objects'
  | 'objectsOfKind'
  | 'newestOfKind'
  | 'jobsOf'
>

/**
 * The same reads; the answer of each is what was asked for, or a bug. The seal of a row proves the row, and not that it
 * was the one to find: a database with a view in place of a table, or with an operator of its own, can find the row of
 * another organization, or another row of the same one.
 */
export function asAsked(reads: Rows): Rows {
  return {
    charter: async (organizationId) => {
      const row = await reads.charter(organizationId)
      areAsked('charters', row === undefined || row.organizationId === organizationId)
      return row
    },
    charters: async (organizationIds) => {
      const rows = await reads.charters(organizationIds)
      areAsked(
        'charters',
        areAmong(organizationIds, rows, (row) => row.organizationId),
      )
      return rows
    },
    activity: async (organizationId, activityId) => {
      const row = await reads.activity(organizationId, activityId)
      areAsked(
        'activities',
        row === undefined || (row.organizationId === organizationId && row.activityId === activityId),
      )
      return row
    },
    activityOfRequest: async (request) => {
      const row = await reads.activityOfRequest(request)
      areAsked(
        'activities',
        row === undefined ||
          (row.organizationId === request.organizationId &&
            row.timestampMs === request.timestampMs &&
            row.fingerprint === request.fingerprint),
      )
      return row
    },
    awaitedActivity: async (organizationId, fingerprint) => {
      const row = await reads.awaitedActivity(organizationId, fingerprint)
      areAsked(
        'activities',
        row === undefined || (row.organizationId === organizationId && row.fingerprint === fingerprint),
      )
      return row
    },
    activities: async (organizationId, filter, page) => {
      const rows = await reads.activities(organizationId, filter, page)
      const { above, below } = idRange(page)
      areAsked(
        'activities',
        rows.every((row) => row.organizationId === organizationId && fits(row, filter)),
      )
      const ids = rows.map(({ activityId }) => activityId).reverse()
      // Between the cursors of a client there may be nothing, in whatever order they are.
      areAsked('activities', rows.length === 0 || isRising([above, ...ids, below]))
      return rows
    },
    objects: async (organizationId, kind, objectIds) => {
      const rows = await reads.objects(organizationId, kind, objectIds)
      areAsked(
        'objects',
        areOfKind(rows, organizationId, kind) && areAmong(objectIds, rows, (row) => row.objectId),
      )
      return rows
    },
    objectsOfKind: async (organizationId, kind, page) => {
      const rows = await reads.objectsOfKind(organizationId, kind, page)
      const ids = rows.map(({ objectId }) => objectId)
      areAsked('objects', areOfKind(rows, organizationId, kind) && isRising([page.after ?? '', ...ids]))
      return rows
    },
    newestOfKind: async (organizationId, kind, page) => {
      const rows = await reads.newestOfKind(organizationId, kind, page)
      const ids = rows.map(({ objectId }) => objectId).reverse()
      areAsked(
        'objects',
        areOfKind(rows, organizationId, kind) && isRising([...ids, page.before ?? ABOVE_ALL_IDS]),
      )
      return rows
    },
    jobsOf: async (orderingKey, of, page) => {
      const jobs = await reads.jobsOf(orderingKey, of, page)
      areAsked(
        'jobs',
        jobs.every((job) => job.orderingKey === orderingKey),
      )
      return jobs
    },
  }
}

function areAsked(what: string, are: boolean): void {
  assert(are, `the database answers with the ${what} that it is asked for, and with no others`)
}

function areOfKind(rows: readonly ObjectRow[], organizationId: string, kind: string): boolean {
  return rows.every((row) => row.organizationId === organizationId && row.kind === kind)
}

/** Whether these rows are some of those with these ids, in the same order. */
function areAmong<Row>(ids: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): boolean {
  let at = 0
  return rows.every((row) => {
    at = ids.indexOf(idOf(row), at) + 1
    return at > 0
  })
}

/** In the order of their bytes; that of ids, which are ASCII, is the order of their characters. */
function isRising(ids: readonly string[]): boolean {
  return ids.every((id, at) => at === 0 || (ids[at - 1] ?? '') < id)
}
