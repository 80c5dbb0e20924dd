import type pg from 'pg'
import { assert } from '../base/assert.ts'
import { activityColumns, activityValues, columnList } from './columns.ts'
import { openLanes, webhooksOf } from './postgres-queue.ts'
import type { RecordOnly } from './record-only.ts'

/** Whether a record can go with others: guarded and heard by its organization and the parent. */
export function fitsBatch({ guards, audience }: RecordOnly): boolean {
  return guards.length <= GUARDS_MAX && audience.length <= AUDIENCE_MAX
}

const GUARDS_MAX = 2
const AUDIENCE_MAX = 2

/**
 * Writes a batch of new records in one statement, which is one round trip, one transaction and one sync. Those whose
 * guards do not hold, or that are there already, are passed over; so is a second one with the activity id of an earlier
 * one, since by its id a record is recognised in the answer. The webhooks of those that are written go with them.
 *
 * @returns for each record whether it was written
 */
export async function writeRecords(
  pool: pg.Pool,
  records: readonly RecordOnly[],
): Promise<readonly boolean[]> {
  const byKey = new Map<string, RecordOnly>()
  for (const record of records) {
    const key = keyOf(record.row)
    if (!byKey.has(key)) byKey.set(key, record)
  }
  const scopes = new Map<string, number>()
  const values = columnsOf([...byKey.values()].map((record) => recordValues(record, scopes)))
  const { rows } = await pool.query<{ organizationId: string; activityId: string }>({
    name: 'records',
    text: INSERT_RECORDS,
    values: [...values, [...scopes.keys()]],
  })
  const written = new Set(rows.map((row) => byKey.get(keyOf(row))))
  return records.map((record) => written.has(record))
}

function keyOf(row: { readonly organizationId: string; readonly activityId: string }): string {
  return `${row.organizationId} ${row.activityId}`
}

type Value = string | number | null

// A scope is sent once, for all who name it: nearly all records of a batch have the same ones.
function recordValues(record: RecordOnly, scopes: Map<string, number>): readonly Value[] {
  assert(fitsBatch(record), 'a record of a batch has two guards and two listeners at most')
  const { row, guards, audience } = record
  const [first, second] = guards
  return [
    ...activityValues(row),
    first?.organizationId ?? null,
    first?.version ?? null,
    second?.organizationId ?? null,
    second?.version ?? null,
    placeOf(audience[0], scopes),
    placeOf(audience[1], scopes),
  ]
}

function placeOf(scope: string | undefined, scopes: Map<string, number>): number | null {
  if (scope === undefined) return null
  const known = scopes.get(scope)
  if (known !== undefined) return known
  scopes.set(scope, scopes.size + 1)
  return scopes.size
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
  'audience_1',
  'audience_2',
])

const COLUMNS = [
  ...Object.values(activityColumns),
  'guard_1',
  'version_1',
  'guard_2',
  'version_2',
  'audience_1',
  'audience_2',
]

const arrayOf = (column: string) =>
  `$${COLUMNS.indexOf(column) + 1}::${NUMBERS.has(column) ? 'bigint' : 'text'}[]`

const holds = (n: number) =>
  `(guard_${n} IS NULL OR coalesce((SELECT version FROM charters WHERE charters.organization_id = guard_${n}), 0) = version_${n})`

const HEARD = ['organization_id', 'activity_id', 'revision', 'updated_at', 'audience_1', 'audience_2']

// In the order of the unique index, so that two hosts that were sent the same requests never wait for each other in a
// circle; of the same request twice in a batch, the first.
//
// Who hears of the records is looked up once for each scope. Only when somebody does are the records gone through again;
// IS TRUE keeps PostgreSQL from turning the test into a join, which without hashing would compare each with each.
const INSERT_RECORDS = `
WITH written AS (
  INSERT INTO activities (${columnList(activityColumns)})
  SELECT ${columnList(activityColumns)}
  FROM unnest(${COLUMNS.map(arrayOf).join(', ')}) WITH ORDINALITY AS record (${COLUMNS.join(', ')}, place)
  WHERE ${holds(1)} AND ${holds(2)}
  ORDER BY organization_id, timestamp_ms, fingerprint, place
  ON CONFLICT DO NOTHING
  RETURNING organization_id, activity_id
),
${webhooksOf(`$${COLUMNS.length + 1}`)},
errand AS (
  INSERT INTO errands (kind, lane, scope, target, organization_id, activity_id, revision, created_at)
  SELECT 'webhook', hook.lane, hook.scope, hook.target, heard.organization_id, heard.activity_id, heard.revision, heard.updated_at
  FROM hook
  CROSS JOIN LATERAL (
    SELECT * FROM unnest(${HEARD.map(arrayOf).join(', ')}) WITH ORDINALITY AS record (${HEARD.join(', ')}, record_place)
    WHERE hook.place IN (audience_1, audience_2)
      AND ((organization_id, activity_id) IN (SELECT organization_id, activity_id FROM written)) IS TRUE
    OFFSET 0
  ) AS heard
  ORDER BY heard.record_place, hook.place, hook.target
  RETURNING lane, created_at
),
opened AS (${openLanes()})
SELECT organization_id AS "organizationId", activity_id AS "activityId" FROM written`
