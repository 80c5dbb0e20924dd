import { assert } from '../../trusted/base/assert.ts'
import type {
  CharterRow,
  DirectoryEntry,
  JobRow,
  ObjectKey,
  ObjectRow,
  Unit,
} from '../../trusted/catalogue/unit.ts'

/**
 * The maximum of UTF-8 bytes of the four texts of a claim or a directory entry together: the limit of an index page of
 * PostgreSQL.
 */
export const ENTRY_BYTES_MAX = 2_400

/**
 * The checks of every unit before it reaches an engine. Each of these faults would be stored by one engine and refused
 * or altered by the other, or would spoil a batch for its neighbours: zero characters and lone surrogates in a text,
 * numbers beyond 2^53, keys longer than an index page, an amended charter without its guard.
 */
export function checkUnit(unit: Unit): void {
  for (const guard of unit.guards) {
    assert(isText(guard.organizationId), 'a guard names an organization in plain text')
    assert(isCount(guard.version), 'a guarded version is a whole number')
  }
  for (const charter of unit.charters) checkCharter(charter, unit)
  checkObjectGuards(unit.objectGuards)
  if (unit.activity !== undefined) checkActivity(unit.activity)
  unit.objects.put.forEach(checkObject)
  assert(unit.objects.put.length < 2 || areDistinct(unit.objects.put), 'a unit puts an object once')
  for (const { organizationId, kind, objectId } of unit.objects.remove)
    assert([organizationId, kind, objectId].every(isText), 'every key of an object is plain text')
  unit.jobs.forEach(checkJob)
  if (unit.revived !== undefined) {
    const { scope, target, sequences } = unit.revived
    assert([scope, target].every(isText), 'what is revived names its target in plain text')
    assert(sequences.every(isCount), 'the number of a job is a whole number')
  }
  for (const list of [unit.claims.put, unit.claims.remove, unit.directory.put, unit.directory.remove])
    list.forEach(checkEntry)
}

function checkCharter(charter: CharterRow, unit: Unit): void {
  const { organizationId, version, body, seal } = charter
  const guarded = unit.guards.some(
    (guard) => guard.organizationId === organizationId && guard.version === version - 1,
  )
  assert(isCount(version) && guarded, 'an amended charter is one version above its guard')
  assert([organizationId, body, seal].every(isText), 'every text of a charter is plain text')
  const mentions = unit.charters.filter((other) => other.organizationId === organizationId)
  assert(mentions.length === 1, 'a unit amends a charter once')
}

function checkObjectGuards(guards: Unit['objectGuards']): void {
  for (const { organizationId, kind, objectId, seal } of guards)
    assert(
      [organizationId, kind, objectId, seal ?? ''].every(isText),
      'every text of a guarded object is plain text',
    )
  assert(guards.length < 2 || areDistinct(guards), 'a unit guards an object once')
}

function checkObject({ organizationId, kind, objectId, body, seal, expiresAt }: ObjectRow): void {
  assert([organizationId, kind, objectId, body, seal].every(isText), 'every text of an object is plain text')
  assert(expiresAt === null || Number.isSafeInteger(expiresAt), 'an object expires at a whole number')
}

function checkJob({ organizationId, jobId, kind, seal, createdAt }: JobRow): void {
  assert([organizationId, jobId, seal].every(isText), 'every text of a job is plain text')
  assert(Buffer.byteLength(jobId) <= ENTRY_BYTES_MAX, 'the id of a job fits an index page')
  assert(kind === 'email' || kind === 'sms', 'a job of a unit is a message')
  assert(Number.isSafeInteger(createdAt), 'a job is created at a whole number')
}

function checkActivity({ row, replaces, audience }: NonNullable<Unit['activity']>): void {
  assert(
    isText(row.organizationId) &&
      isText(row.activityId) &&
      isText(row.fingerprint) &&
      isText(row.type) &&
      isText(row.status) &&
      isText(row.intent) &&
      (row.result === null || isText(row.result)) &&
      (row.failure === null || isText(row.failure)) &&
      isText(row.votes) &&
      isText(row.evaluations) &&
      isText(row.voters) &&
      isText(row.seal),
    'every text of an activity is plain text',
  )
  assert(
    Number.isSafeInteger(row.timestampMs) &&
      Number.isSafeInteger(row.createdAt) &&
      Number.isSafeInteger(row.updatedAt) &&
      isCount(row.revision),
    'every number of an activity is whole',
  )
  assert(replaces === null || row.revision > replaces, 'a revision is above the one it replaces')
  assert(audience.every(isText), 'every organization of an audience is plain text')
}

function areDistinct(objects: readonly ObjectKey[]): boolean {
  const keys = objects.map(({ organizationId, kind, objectId }) =>
    [organizationId, kind, objectId].join('\0'),
  )
  return new Set(keys).size === keys.length
}

function checkEntry({ scope, kind, value, target }: DirectoryEntry): void {
  assert([scope, kind, value, target].every(isText), 'every field of an entry is plain text')
  const bytes = Buffer.byteLength(scope + kind + value + target)
  assert(bytes <= ENTRY_BYTES_MAX, 'an entry fits an index page')
}

export function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
