import { recordValues } from '../../trusted/catalogue/record-values.ts'
import type { ActivityRow, CharterRow, ObjectRow } from '../../trusted/catalogue/unit.ts'

/** The column of each field, in the order in which both engines get the values. */
export const activityColumns = {
  organizationId: 'organization_id',
  activityId: 'activity_id',
  fingerprint: 'fingerprint',
  timestampMs: 'timestamp_ms',
  type: 'type',
  status: 'status',
  awaited: 'awaited',
  revision: 'revision',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  intent: 'intent',
  result: 'result',
  failure: 'failure',
  votes: 'votes',
  evaluations: 'evaluations',
  voters: 'voters',
  seal: 'seal',
} as const satisfies Record<keyof ActivityRow, string>

export const charterColumns = {
  organizationId: 'organization_id',
  version: 'version',
  body: 'body',
  seal: 'seal',
} as const satisfies Record<keyof CharterRow, string>

export const objectColumns = {
  organizationId: 'organization_id',
  kind: 'kind',
  objectId: 'object_id',
  body: 'body',
  seal: 'seal',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof ObjectRow, string>

/** The columns in the form of an INSERT. */
export function columnList(columns: Readonly<Record<string, string>>): string {
  return Object.values(columns).join(', ')
}

/** The columns under the names of their fields, in the form of a SELECT: a row is then a record of the catalogue. */
export function fieldList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([field, column]) => `${column} AS "${field}"`)
    .join(', ')
}

/** The values of an activity in the order of `activityColumns`: the seal comes after the sealed columns. */
export function activityValues(row: ActivityRow): (string | number | null)[] {
  const values = recordValues(row)
  values.push(row.seal)
  return values
}
