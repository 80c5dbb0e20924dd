import { activityColumns, fieldList } from '../columns.ts'
import { type IdRange, idRange, planListing } from '../listing.ts'
import type { ActivityFilter, Page } from '../store.ts'

type Statement = { readonly name: string; readonly text: string }

/** The statement that lists activities; its rows come in the direction of the page. */
export function listActivities(
  organizationId: string,
  filter: ActivityFilter,
  page: Page,
): {
  readonly statement: Statement
  readonly values: readonly unknown[]
  readonly newestFirst: boolean
} {
  const { above, below, newestFirst } = idRange(page)
  const listing = planListing(filter)
  const range = [organizationId, above, below, page.limit]
  if (listing.kind === 'all') return { statement: way(newestFirst, ALL), values: range, newestFirst }
  const { types, statuses } = listing
  return types === undefined
    ? { statement: way(newestFirst, OF_ANY_TYPE), values: [...range, statuses], newestFirst }
    : { statement: way(newestFirst, OF_TYPES), values: [...range, statuses, types], newestFirst }
}

type BothWays = { readonly down: Statement; readonly up: Statement }

function way(newestFirst: IdRange['newestFirst'], { down, up }: BothWays): Statement {
  return newestFirst ? down : up
}

const IN_RANGE = 'organization_id = $1 AND activity_id > $2 AND activity_id < $3'

const ALL: BothWays = {
  down: { name: 'activities, newest first', text: all('DESC') },
  up: { name: 'activities, oldest first', text: all('ASC') },
}

function all(order: 'ASC' | 'DESC'): string {
  return `SELECT ${fieldList(activityColumns)} FROM activities WHERE ${IN_RANGE} ORDER BY activity_id ${order} LIMIT $4`
}

const GIVEN_TYPES = 'unnest($6::text[]) AS kinds (type)'

/** Jumps from each existing type to the next, so one step skips millions of rows of a type. */
const ANY_TYPE = `(
  WITH RECURSIVE known (type) AS (
    (SELECT type FROM activities ORDER BY type LIMIT 1)
    UNION ALL
    SELECT (SELECT later.type FROM activities AS later WHERE later.type > known.type ORDER BY later.type LIMIT 1)
    FROM known WHERE known.type IS NOT NULL
  )
  SELECT type FROM known WHERE type IS NOT NULL
) AS kinds`

const OF_TYPES: BothWays = {
  down: { name: 'activities of types, newest first', text: apart(GIVEN_TYPES, 'DESC') },
  up: { name: 'activities of types, oldest first', text: apart(GIVEN_TYPES, 'ASC') },
}

const OF_ANY_TYPE: BothWays = {
  down: { name: 'activities of any type, newest first', text: apart(ANY_TYPE, 'DESC') },
  up: { name: 'activities of any type, oldest first', text: apart(ANY_TYPE, 'ASC') },
}

/**
 * First, the statement takes the first id of each type and status. Of these groups it keeps the first ones, up to the
 * limit, since no other group can contribute to the page. From each group it takes as many ids as fit after the groups
 * before it. Of all these ids it returns the first, with their rows.
 */
function apart(types: string, order: 'ASC' | 'DESC'): string {
  return `WITH head AS MATERIALIZED (
  SELECT kinds.type, states.status, first.activity_id, row_number() OVER (ORDER BY first.activity_id ${order}) AS place
  FROM ${types} CROSS JOIN unnest($5::text[]) AS states (status)
  CROSS JOIN LATERAL (${ids('kinds.type', 'states.status', order, '1')}) AS first
  ORDER BY first.activity_id ${order} LIMIT $4
),
listed AS MATERIALIZED (
  SELECT found.activity_id FROM head
  CROSS JOIN LATERAL (${ids('head.type', 'head.status', order, '$4::bigint + 1 - head.place')}) AS found
  ORDER BY found.activity_id ${order} LIMIT $4
)
SELECT row.* FROM listed CROSS JOIN LATERAL (
  SELECT ${fieldList(activityColumns)} FROM activities
  ${ofActivity('$1', 'listed.activity_id')}
) AS row
ORDER BY row."activityId" ${order}`
}

/**
 * The condition that finds one activity by its id, as a range with an order. With an equality, a planner without
 * statistics could walk the rows of the organization along any other index.
 */
export function ofActivity(organizationId: string, activityId: string): string {
  return `WHERE activities.organization_id = ${organizationId}
    AND activities.activity_id >= ${activityId} AND activities.activity_id <= ${activityId}
    ORDER BY activities.activity_id LIMIT 1`
}

function ids(type: string, status: string, order: 'ASC' | 'DESC', limit: string): string {
  return `SELECT activity_id FROM activities
    WHERE ${IN_RANGE} AND type = ${type} AND status = ${status} ORDER BY activity_id ${order} LIMIT ${limit}`
}
