import { activityColumns, activityValues, columnList } from '../columns.ts'
import type { Pool } from './pool.ts'
import { openOrderingKeys, hasListeners, webhooksOf } from './queue.ts'
import { areQuotasOf } from '../quotas/postgres-quotas.ts'
import type { RecordOnly } from '../record-only.ts'
import { altered } from '../store-error.ts'
import { tenantOf } from '../tenant-of.ts'

/**
 * Whether a record can be written with others: its guards are its organization and the parent, and its audience is
 * these and the audit stream.
 */
export function fitsBatch({ guards, audience }: RecordOnly): boolean {
  return guards.length <= GUARDS_MAX && audience.length <= AUDIENCE_MAX
}

const GUARDS_MAX = 2
const AUDIENCE_MAX = 3

/**
 * Writes a batch of new records, each of which `fitsBatch`, in one statement, which is one round trip, one transaction
 * and one sync. Records whose guards do not hold, or that exist already, are skipped; so is a second record with the
 * same activity id, since the answer identifies records by this id.
 *
 * There are two such statements. The first writes nothing if any of the records has listeners, and costs no more than a
 * plain write. The second also writes the webhooks. The choice depends on the organizations that recently had webhooks;
 * if the first has written nothing, the second follows. The result is right for every choice. Both write nothing if the
 * quotas are others than those that exempted these records from counting.
 *
 * @returns for each record whether it was written
 */
export function recordWriter(
  pool: Pick<Pool, 'write'>,
  heard: Set<string>,
): (records: readonly RecordOnly[], quotas: number) => Promise<readonly boolean[]> {
  const writeUnheard = async (batch: Batch, quotas: string): Promise<readonly Written[]> =>
    (await pool.write<Written>({ ...RECORDS, values: [...batch.columns, batch.scopes, quotas] })).rows

  const writeHeard = async (batch: Batch, quotas: string): Promise<readonly Written[]> => {
    const values = [...batch.columns, batch.scopes, quotas, ...audienceOf(batch), batch.tenants]
    const { rows } = await pool.write<(Written & { readonly scope: null }) | Listened>({
      ...RECORDS_AND_WEBHOOKS,
      values,
    })
    for (const scope of batch.scopes) heard.delete(scope)
    if (heard.size > HEARD_MAX) heard.clear()
    for (const { scope } of rows) if (scope !== null) heard.add(scope)
    return rows.filter((row) => row.scope === null)
  }

  return async (records, version) => {
    const quotas = String(version)
    const byKey = new Map<string, RecordOnly>()
    for (const record of records) {
      const key = keyOf(record.row)
      if (!byKey.has(key)) byKey.set(key, record)
    }
    const batch = batchOf([...byKey.values()])
    const quiet = batch.scopes.some((scope) => heard.has(scope)) ? [] : await writeUnheard(batch, quotas)
    const rows = quiet.length === 0 ? await writeHeard(batch, quotas) : quiet
    const written = new Set(
      rows.map((row) => {
        const record = byKey.get(keyOf(row))
        if (record?.row.seal !== row.seal) throw altered()
        return record
      }),
    )
    return records.map((record) => written.has(record))
  }
}

/** The maximum of remembered scopes. */
const HEARD_MAX = 10_000

type Key = { readonly organizationId: string; readonly activityId: string }

type Written = Key & { readonly seal: string }

function keyOf({ organizationId, activityId }: Key): string {
  return `${organizationId} ${activityId}`
}

/** An answer for an organization with listeners, instead of a record. */
type Listened = {
  readonly organizationId: null
  readonly activityId: null
  readonly seal: null
  readonly scope: string
}

type Value = string | number | null

type Batch = {
  readonly records: readonly RecordOnly[]
  /** One array for each of `COLUMNS`. */
  readonly columns: readonly (readonly Value[])[]
  /** Every member of the audiences, once: nearly all records of a batch have the same audience. */
  readonly scopes: readonly string[]
  /** The tenant of each of them. */
  readonly tenants: readonly string[]
}

function batchOf(records: readonly RecordOnly[]): Batch {
  const tenants = new Map<string, string>()
  for (const { audience } of records)
    for (const scope of audience) if (!tenants.has(scope)) tenants.set(scope, tenantOf({ audience }, scope))
  return {
    records,
    columns: columnsOf(records.map(recordValues)),
    scopes: [...tenants.keys()],
    tenants: [...tenants.values()],
  }
}

/** For each record the positions of its audience in `scopes`, from 1; three arrays. */
function audienceOf({ records, scopes }: Batch): readonly (readonly Value[])[] {
  const places = new Map(scopes.map((scope, at) => [scope, at + 1]))
  const placeOf = (scope: string | undefined): Value => places.get(scope ?? '') ?? null
  return columnsOf(
    records.map(({ audience: [first, second, third] }) => [placeOf(first), placeOf(second), placeOf(third)]),
  )
}

function recordValues({ row, guards }: RecordOnly): readonly Value[] {
  const [first, second] = guards
  return [
    ...activityValues(row),
    first?.organizationId ?? null,
    first?.version ?? null,
    second?.organizationId ?? null,
    second?.version ?? null,
  ]
}

function columnsOf(rows: readonly (readonly Value[])[]): Value[][] {
  const width = rows[0]?.length ?? 0
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? null))
}

const NUMBERS: ReadonlySet<string> = new Set([
  'timestamp_ms',
  'awaited',
  'revision',
  'created_at',
  'updated_at',
  'version_1',
  'version_2',
])

const COLUMNS = [...Object.values(activityColumns), 'guard_1', 'version_1', 'guard_2', 'version_2']

const arrayOf = (column: string) =>
  `$${COLUMNS.indexOf(column) + 1}::${NUMBERS.has(column) ? 'bigint' : 'text'}[]`

const SCOPES = `$${COLUMNS.length + 1}`
const QUOTAS = `$${COLUMNS.length + 2}`
const TENANTS = `$${COLUMNS.length + 6}`
const AUDIENCE = [3, 4, 5].map((place) => `$${COLUMNS.length + place}::bigint[]`)

const holds = (n: number) =>
  `(guard_${n} IS NULL OR coalesce((SELECT version FROM charters WHERE charters.organization_id = guard_${n}), 0) = version_${n})`

// In the order of the unique index, so that two hosts with the same requests never wait for each other in a circle; of
// two equal requests in a batch, the first.
const insertRecords = (condition: string) => `
INSERT INTO activities (${columnList(activityColumns)})
SELECT ${columnList(activityColumns)}
FROM unnest(${COLUMNS.map(arrayOf).join(', ')}) WITH ORDINALITY AS record (${COLUMNS.join(', ')}, place)
WHERE ${holds(1)} AND ${holds(2)} AND ${areQuotasOf(QUOTAS)} AND ${condition}
ORDER BY organization_id, timestamp_ms, fingerprint, place
ON CONFLICT DO NOTHING
RETURNING organization_id AS "organizationId", activity_id AS "activityId", seal`

const RECORDS = { name: 'records', text: insertRecords(`NOT ${hasListeners(SCOPES)}`) }

const NAMED = ['organization_id', 'activity_id', 'revision', 'updated_at']

// IS TRUE keeps PostgreSQL from turning the test into a join, which without hashing would compare all pairs.
const RECORDS_AND_WEBHOOKS = {
  name: 'records and webhooks',
  text: `
WITH written AS (${insertRecords('true')}),
${webhooksOf(SCOPES, TENANTS)},
errand AS (
  INSERT INTO errands (kind, lane, scope, target, organization_id, activity_id, revision, created_at)
  SELECT 'webhook', hook.lane, hook.scope, hook.target, record.organization_id, record.activity_id, record.revision, record.updated_at
  FROM hook
  CROSS JOIN LATERAL (
    SELECT * FROM unnest(${[...NAMED.map(arrayOf), ...AUDIENCE].join(', ')})
      WITH ORDINALITY AS named (${NAMED.join(', ')}, first, second, third, record_place)
    WHERE hook.place IN (first, second, third)
      AND ((organization_id, activity_id) IN (SELECT "organizationId", "activityId" FROM written)) IS TRUE
    OFFSET 0
  ) AS record
  ORDER BY record_place, hook.place, hook.target
  RETURNING lane, created_at
),
opened AS (${openOrderingKeys()})
SELECT "organizationId", "activityId", seal, NULL AS scope FROM written
UNION ALL
SELECT DISTINCT NULL, NULL, NULL, scope FROM hook`,
}
