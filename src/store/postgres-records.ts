import type pg from 'pg'
import { assert } from '../base/assert.ts'
import { activityColumns, activityValues, columnList } from './columns.ts'
import type { RecordOnly } from './record-only.ts'

/** Guards that one record of a batch may have: its organization and the parent. */
export const RECORD_GUARDS_MAX = 2

/**
 * Writes a batch of new records in one statement, which is one round trip, one transaction and one sync. Those whose
 * guards do not hold, or that are there already, are passed over; so is a second one with the activity id of an earlier
 * one, since by its id a record is recognised in the answer.
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
  const { rows } = await pool.query<{ organizationId: string; activityId: string }>({
    name: 'records',
    text: INSERT_RECORDS,
    values: columnsOf([...byKey.values()].map(recordValues)),
  })
  const written = new Set(rows.map((row) => byKey.get(keyOf(row))))
  return records.map((record) => written.has(record))
}

function keyOf(row: { readonly organizationId: string; readonly activityId: string }): string {
  return `${row.organizationId} ${row.activityId}`
}

type Value = string | number | null

function recordValues({ row, guards }: RecordOnly): readonly Value[] {
  assert(guards.length <= RECORD_GUARDS_MAX, 'a record of a batch has two guards at most')
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

const ARRAYS = COLUMNS.map((column, at) => `$${at + 1}::${NUMBERS.has(column) ? 'bigint' : 'text'}[]`)

const holds = (n: number) =>
  `(guard_${n} IS NULL OR coalesce((SELECT version FROM charters WHERE charters.organization_id = guard_${n}), 0) = version_${n})`

// In the order of the unique index, so that two hosts that were sent the same requests never wait for each other in a
// circle; of the same request twice in a batch, the first.
const INSERT_RECORDS = `
INSERT INTO activities (${columnList(activityColumns)})
SELECT ${columnList(activityColumns)}
FROM unnest(${ARRAYS.join(', ')}) WITH ORDINALITY AS record (${COLUMNS.join(', ')}, place)
WHERE ${holds(1)} AND ${holds(2)}
ORDER BY organization_id, timestamp_ms, fingerprint, place
ON CONFLICT DO NOTHING
RETURNING organization_id AS "organizationId", activity_id AS "activityId"`
