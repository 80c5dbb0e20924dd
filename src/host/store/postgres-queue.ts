import type pg from 'pg'
import type { Unit } from '../../trusted/catalogue/unit.ts'
import { columnList } from './columns.ts'
import { messageErrand, type NewErrand, newErrandColumns, newErrandValues } from './errand-rows.ts'
import { WEBHOOK_ENTRY, webhookLaneOf } from './lanes.ts'

/**
 * Numbers must rise in the order of commits within a lane, or the later of two webhooks could be carried first. So whoever
 * puts an errand down holds the lane, from before the number is drawn until the commit. Takers do not wait for that lock:
 * what they look at is the row of the lane, which is there already or comes with the commit.
 *
 * @param lane  an expression of SQL
 */
export function holdLane(lane: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${lane}, 0))`
}

/** Whether anybody hears of the organizations that `scopes` names, an array of texts in SQL. Looked up once for each. */
export function someoneHears(scopes: string): string {
  return `EXISTS (SELECT FROM unnest(${scopes}::text[]) AS audience (scope) CROSS JOIN LATERAL (${LISTENERS}) AS found)`
}

/**
 * The common table `hook`: the webhooks of the organizations that `scopes` names, an array of texts in SQL; `place` is
 * the scope's in that array. Reading it holds their lanes, one by one in order.
 */
export function webhooksOf(scopes: string): string {
  return `hook AS MATERIALIZED (
  SELECT place, scope, target, lane, ${holdLane('lane')}
  FROM (
    SELECT audience.place, found.scope, found.target, ${webhookLaneOf('found.scope', 'found.target')} AS lane
    FROM unnest(${scopes}::text[]) WITH ORDINALITY AS audience (scope, place)
    CROSS JOIN LATERAL (${LISTENERS}) AS found
    ORDER BY lane OFFSET 0
  ) AS sorted
)`
}

// OFFSET 0 has it looked up by its index, once for each scope, whatever the planner thinks of the size of the directory.
const LISTENERS = `SELECT directory.scope, directory.target FROM directory
      WHERE directory.scope = audience.scope AND kind = '${WEBHOOK_ENTRY.kind}' AND value = '${WEBHOOK_ENTRY.value}' OFFSET 0`

/** Opens the lanes of the common table `errand`, which are those that errands were just put into; what was empty is due at `dueAt`. */
export function openLanes(dueAt = 'min(created_at)'): string {
  return `INSERT INTO lanes (lane, due_at) SELECT lane, ${dueAt} FROM errand GROUP BY lane ON CONFLICT DO NOTHING`
}

export async function writeMessages(client: pg.ClientBase, { errands }: Unit): Promise<undefined> {
  const messages = errands.map((row) => messageErrand(row))
  if (messages.length > 0) await putErrands(client, messages, null)
}

/** Writes the webhooks of a unit, when the rest of it is written. */
export async function writeWebhooks(client: pg.ClientBase, { activity }: Unit): Promise<void> {
  if (activity === undefined || activity.audience.length === 0) return
  const { organizationId, activityId, revision, updatedAt } = activity.row
  const scopes = [...new Set(activity.audience)]
  await client.query({ ...PUT_WEBHOOKS, values: [scopes, organizationId, activityId, revision, updatedAt] })
}

/** Puts errands at the ends of their lanes, in the order given; a lane that was empty is due at `dueAt`, or when its first errand was created. */
export async function putErrands(
  client: pg.ClientBase,
  errands: readonly NewErrand[],
  dueAt: number | null,
): Promise<void> {
  await client.query({ ...HOLD_LANES, values: [errands.map((errand) => errand.lane)] })
  const rows = errands.map(newErrandValues)
  const columns = Object.keys(newErrandColumns).map((_, at) => rows.map((row) => row[at] ?? null))
  await client.query({ ...PUT_ERRANDS, values: [...columns, dueAt] })
}

const PUT_WEBHOOKS = {
  name: 'put webhooks',
  text: `WITH ${webhooksOf('$1')},
errand AS (
  INSERT INTO errands (kind, lane, scope, target, organization_id, activity_id, revision, created_at)
  SELECT 'webhook', lane, scope, target, $2, $3, $4, $5 FROM hook ORDER BY place, target
  RETURNING lane, created_at
)
${openLanes()}`,
}

const HOLD_LANES = {
  name: 'hold lanes',
  text: `SELECT ${holdLane('lane')} FROM (SELECT DISTINCT lane COLLATE "C" AS lane FROM unnest($1::text[]) AS named (lane) ORDER BY 1 OFFSET 0) AS sorted`,
}

const NUMBERS: ReadonlySet<string> = new Set(['created_at', 'revision'])
const COLUMNS = Object.values(newErrandColumns)
const PUT_ERRANDS = {
  name: 'put errands',
  text: `WITH errand AS (
  INSERT INTO errands (${columnList(newErrandColumns)})
  SELECT ${columnList(newErrandColumns)}
  FROM unnest(${COLUMNS.map((column, at) => `$${at + 1}::${NUMBERS.has(column) ? 'bigint' : 'text'}[]`).join(', ')})
    WITH ORDINALITY AS new (${COLUMNS.join(', ')}, place)
  ORDER BY place
  RETURNING lane, created_at
)
${openLanes(`coalesce($${COLUMNS.length + 1}::bigint, min(created_at))`)}`,
}
