import {
  list,
  nullable,
  oneOf,
  optional,
  type Plain,
  record,
  wellFormed,
  whole,
} from '../trusted/base/plain.ts'
import {
  ACTIVITY_STATUSES,
  type ActivityRow,
  type CharterRow,
  type DirectoryEntry,
  type JobRow,
  type ObjectRow,
  type Unit,
} from '../trusted/catalogue/unit.ts'

// A key column fits an index page; other columns are as long as their content.
const KEY_CHARACTERS_MAX = 4_096
export const COLUMN_CHARACTERS_MAX = 128 * 1024 * 1024

/** The highest number of items of one kind in a message. */
export const ROWS_MAX = 1_000_000

const key = wellFormed(KEY_CHARACTERS_MAX)
const column = wellFormed(COLUMN_CHARACTERS_MAX)

const sealedCharter = { organizationId: key, version: whole(1), seal: column }

export const plainCharter: Plain<CharterRow> = record({ ...sealedCharter, body: column })

/** The body may be left out. */
export const plainCharterOffer: Plain<Omit<CharterRow, 'body'> & { readonly body?: string }> = record({
  ...sealedCharter,
  body: optional(column),
})

export const plainActivity: Plain<ActivityRow> = record({
  organizationId: key,
  activityId: key,
  fingerprint: key,
  timestampMs: whole(),
  type: key,
  status: oneOf(ACTIVITY_STATUSES),
  awaited: oneOf([0, 1]),
  revision: whole(1),
  createdAt: whole(),
  updatedAt: whole(),
  intent: column,
  result: nullable(column),
  failure: nullable(column),
  votes: column,
  evaluations: column,
  voters: column,
  seal: column,
})

export const plainObject: Plain<ObjectRow> = record({
  organizationId: key,
  kind: key,
  objectId: key,
  body: column,
  seal: column,
  expiresAt: nullable(whole()),
})

export const plainJob: Plain<JobRow> = record({
  organizationId: key,
  jobId: key,
  kind: oneOf(['email', 'sms']),
  seal: column,
  createdAt: whole(),
})

export const plainEntry: Plain<DirectoryEntry> = record({ scope: key, kind: key, value: key, target: key })

const objectKey = { organizationId: key, kind: key, objectId: key }
const entries = record({ put: list(plainEntry, ROWS_MAX), remove: list(plainEntry, ROWS_MAX) })

export const plainUnit: Plain<Unit> = record({
  guards: list(record({ organizationId: key, version: whole() }), ROWS_MAX),
  charters: list(plainCharter, ROWS_MAX),
  objectGuards: list(record({ ...objectKey, seal: nullable(column) }), ROWS_MAX),
  activity: optional(
    record({ row: plainActivity, replaces: nullable(whole(1)), audience: list(key, ROWS_MAX) }),
  ),
  objects: record({ put: list(plainObject, ROWS_MAX), remove: list(record(objectKey), ROWS_MAX) }),
  jobs: list(plainJob, ROWS_MAX),
  revived: optional(record({ scope: key, target: key, sequences: list(whole(), ROWS_MAX) })),
  claims: entries,
  directory: entries,
})
