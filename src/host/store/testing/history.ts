import { aRequest } from './fixtures.ts'
import { activityColumns, columnList } from '../columns.ts'

/** A type that three activities are of, the oldest there are. */
export const RARE_TYPE = 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2'

/** Between two that failed. */
const FAILED_EVERY = 10_000
const RARE = 3

/**
 * SQL that fills the tables with a history: completed signatures, here and there one that failed, and the oldest of
 * another type; as many objects, names, directory entries and dead and waiting jobs.
 *
 * @param engine  whose dialect it is in
 */
export function historySql(engine: 'sqlite' | 'postgres', rows: number): string {
  const counted =
    engine === 'sqlite'
      ? `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})`
      : `WITH numbers (n) AS (SELECT generate_series(1, ${rows}))`
  const hex = engine === 'sqlite' ? "printf('%012x', n)" : "lpad(to_hex(n), 12, '0')"
  const row = aRequest(0)
  const text = (value: string | number | null): string =>
    value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`
  const columns = {
    ...Object.fromEntries(
      Object.keys(activityColumns).map((field) => [field, text(Reflect.get(row, field))]),
    ),
    activityId: id(hex),
    fingerprint: `'sha256:' || ${hex}`,
    timestampMs: 'n',
    type: `CASE WHEN n <= ${RARE} THEN '${RARE_TYPE}' ELSE '${row.type}' END`,
    status: `CASE WHEN n % ${FAILED_EVERY} = 0 THEN 'ACTIVITY_STATUS_FAILED' ELSE 'ACTIVITY_STATUS_COMPLETED' END`,
  }
  const insert = (into: string, values: string): string =>
    engine === 'sqlite'
      ? `INSERT INTO ${into} ${counted} SELECT ${values} FROM numbers;`
      : `${counted} INSERT INTO ${into} SELECT ${values} FROM numbers;`
  return [
    insert(`activities (${columnList(activityColumns)})`, Object.values(columns).join(', ')),
    insert(
      'objects (organization_id, kind, object_id, body, seal)',
      `'org', 'privateKey', ${id(hex)}, '{}', 'seal'`,
    ),
    insert('directory (scope, kind, value, target)', `'org', 'SUB_ORGANIZATION', '', ${id(hex)}`),
    insert('claims (scope, kind, value, target)', `'org', 'PRIVATE_KEY_NAME', 'key ' || n, ${id(hex)}`),
    insert('directory (scope, kind, value, target)', `'org', 'FOLDED_NAME', 'customer ' || n, ${id(hex)}`),
    insert(
      'errands (lane, kind, created_at, organization_id, errand_id, seal, dead)',
      `'message ' || n, 'email', n, 'org', 'e' || n, 'seal', n % 2`,
    ),
    insert(
      'errands (lane, kind, created_at, organization_id, scope, target, activity_id, revision, dead)',
      `'webhook org w' || n % 2, 'webhook', n, 'org', 'org', 'w' || n % 2, ${id(hex)}, 1, n / 2 % 2`,
    ),
  ].join('\n')
}

/** As `anId` has them. */
function id(hex: string): string {
  return `'019aa1b0-0000-7000-8000-' || ${hex}`
}
