import type pg from 'pg'
import { present } from '../../../trusted/base/assert.ts'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import { columnList, fieldList } from '../columns.ts'
import { jobColumns, type JobRecord, type NewJob, newJobColumns } from '../job-columns.ts'
import { messageJob, newJobValues } from '../job-rows.ts'
import { tenantOf } from '../tenant-of.ts'
import { WEBHOOK_ENTRY, webhookOrderingKey, webhookOrderingKeyOf } from '../ordering-keys.ts'

/**
 * Numbers must rise in the order of commits within an ordering key, or the later of two webhooks could be sent first.
 * So a transaction that adds a job holds the ordering key, from before the number is drawn until the commit. Takers do
 * not wait for that lock: they look at the row of the ordering key, which exists already or comes with the commit.
 *
 * @param orderingKey  an SQL expression
 */
export function lockOrderingKey(orderingKey: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${orderingKey}, 0))`
}

/** Whether any target listens to the organizations in `scopes`, an SQL array of texts; looked up once for each. */
export function hasListeners(scopes: string): string {
  return `EXISTS (SELECT FROM unnest(${scopes}::text[]) AS audience (scope) CROSS JOIN LATERAL (${LISTENERS}) AS found)`
}

/**
 * The common table `hook`: the webhooks of the organizations in `scopes`, an SQL array of texts, beside that of their
 * tenants; `place` is the position of the scope in that array. Reading it locks their ordering keys, one by one in
 * order.
 */
export function webhooksOf(scopes: string, tenants: string): string {
  return `hook AS MATERIALIZED (
  SELECT place, scope, tenant, target, lane, ${lockOrderingKey('lane')}
  FROM (
    SELECT audience.place, found.scope, audience.tenant, found.target,
      ${webhookOrderingKeyOf('found.scope', 'found.target')} AS lane
    FROM unnest(${scopes}::text[], ${tenants}::text[]) WITH ORDINALITY AS audience (scope, tenant, place)
    CROSS JOIN LATERAL (${LISTENERS}) AS found
    ORDER BY lane OFFSET 0
  ) AS sorted
)`
}

// OFFSET 0 makes PostgreSQL use the index, once for each scope, whatever the planner assumes about the size of the
// directory.
const LISTENERS = `SELECT directory.scope, directory.target FROM directory
      WHERE directory.scope = audience.scope AND kind = '${WEBHOOK_ENTRY.kind}' AND value = '${WEBHOOK_ENTRY.value}' OFFSET 0`

/** The time of the server, in milliseconds since the Unix epoch. */
export const SERVER_TIME = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/**
 * Opens the ordering keys of the common table `errand`, which have just got jobs; a key that was empty is due at
 * `dueAt`, and not after the time of the server, by which all hosts take jobs: the clock of this host may be ahead. It
 * is in the turn of the tenant that the table `turn` has beside it.
 */
export function openOrderingKeys(turns = 'hook AS turn', dueAt = 'min(created_at)'): string {
  return `INSERT INTO lanes (lane, due_at, tenant)
SELECT lane, least(${dueAt}, ${SERVER_TIME}), (SELECT tenant FROM ${turns} WHERE turn.lane = errand.lane LIMIT 1)
FROM errand GROUP BY lane ON CONFLICT DO NOTHING`
}

export async function writeMessages(client: pg.ClientBase, { jobs, activity }: Unit): Promise<undefined> {
  const messages = jobs.map((row) => ({
    ...messageJob(row),
    tenant: tenantOf(activity, row.organizationId),
  }))
  if (messages.length > 0) await putJobs(client, messages, null)
}

/** Puts the dead webhooks that a unit revives at the end of their ordering key. */
export async function reviveWebhooks(client: pg.ClientBase, { revived, activity }: Unit): Promise<undefined> {
  if (revived === undefined) return
  const values = [revived.sequences, webhookOrderingKey(revived)]
  const { rows } = await client.query<JobRecord>({ ...REMOVE_DEAD_OF, values })
  const tenant = tenantOf(activity, revived.scope)
  const jobs = [...rows].sort((a, b) => a.sequence - b.sequence).map((job) => ({ ...job, tenant }))
  await putJobs(client, jobs, activity?.row.updatedAt ?? null)
}

const REMOVE_DEAD_OF = {
  name: 'remove dead webhooks',
  text: `DELETE FROM errands WHERE dead = 1 AND sequence = ANY($1::bigint[]) AND lane = $2 RETURNING ${fieldList(jobColumns)}`,
}

/** Writes the webhooks of a unit, after the rest of it is written. */
export async function writeWebhooks(client: pg.ClientBase, { activity }: Unit): Promise<void> {
  const { row, audience } = present(activity, 'an audience hears of an activity')
  const { organizationId, activityId, revision, updatedAt } = row
  const scopes = [...new Set(audience)]
  const tenants = scopes.map((scope) => tenantOf({ audience }, scope))
  const values = [scopes, organizationId, activityId, revision, updatedAt, tenants]
  await client.query({ ...PUT_WEBHOOKS, values })
}

/**
 * Puts jobs at the ends of their ordering keys, in the given order; an ordering key that was empty is due at `dueAt`,
 * or at the creation of its first job.
 */
export async function putJobs(
  client: pg.ClientBase,
  jobs: readonly (NewJob & { readonly tenant: string })[],
  dueAt: number | null,
): Promise<void> {
  await client.query({ ...LOCK_ORDERING_KEYS, values: [jobs.map((job) => job.orderingKey)] })
  const rows = jobs.map(newJobValues)
  const columns = Object.keys(newJobColumns).map((_, at) => rows.map((row) => row[at] ?? null))
  await client.query({ ...PUT_JOBS, values: [...columns, dueAt, jobs.map(({ tenant }) => tenant)] })
}

const PUT_WEBHOOKS = {
  name: 'put webhooks',
  text: `WITH ${webhooksOf('$1', '$6')},
errand AS (
  INSERT INTO errands (kind, lane, scope, target, organization_id, activity_id, revision, created_at)
  SELECT 'webhook', lane, scope, target, $2, $3, $4, $5 FROM hook ORDER BY place, target
  RETURNING lane, created_at
)
${openOrderingKeys()}`,
}

const LOCK_ORDERING_KEYS = {
  name: 'hold ordering keys',
  text: `SELECT ${lockOrderingKey('lane')} FROM (SELECT DISTINCT lane COLLATE "C" AS lane FROM unnest($1::text[]) AS named (lane) ORDER BY 1 OFFSET 0) AS sorted`,
}

const NUMBERS: ReadonlySet<string> = new Set(['created_at', 'revision'])
const COLUMNS = Object.values(newJobColumns)
const TURNS = `unnest($1::text[], $${COLUMNS.length + 2}::text[]) AS turn (lane, tenant)`
const PUT_JOBS = {
  name: 'put jobs',
  text: `WITH errand AS (
  INSERT INTO errands (${columnList(newJobColumns)})
  SELECT ${columnList(newJobColumns)}
  FROM unnest(${COLUMNS.map((column, at) => `$${at + 1}::${NUMBERS.has(column) ? 'bigint' : 'text'}[]`).join(', ')})
    WITH ORDINALITY AS new (${COLUMNS.join(', ')}, place)
  ORDER BY place
  RETURNING lane, created_at
)
${openOrderingKeys(TURNS, `coalesce($${COLUMNS.length + 1}::bigint, min(created_at))`)}`,
}
