import type { DatabaseSync } from 'node:sqlite'
import type { ActivityRow, CharterRow, DirectoryEntry, Unit } from '../../../trusted/catalogue/unit.ts'
import { activityColumns, activityValues, charterColumns, columnList, objectColumns } from '../columns.ts'
import type { Found } from '../found.ts'
import { messageJob } from '../job-rows.ts'
import type { ChargedUnit } from '../quotas/quota.ts'
import type { SqliteQuotas } from '../quotas/sqlite-quotas.ts'
import { recordOnly } from '../record-only.ts'
import { tenantOf } from '../tenant-of.ts'
import type { PutJob } from './queue.ts'
import { webhookReviver } from './revived.ts'
import { sqliteReadBack } from './read-back.ts'
import type { SqliteRecords } from './records.ts'
import type { SqliteWebhooks } from './webhooks.ts'
import type { CommitResult, Conflict } from '../store.ts'

/** Writes a unit inside a batch; a conflicting unit leaves no trace. */
export function sqliteWriter(
  db: DatabaseSync,
  {
    put,
    webhooks,
    records,
    quotas,
  }: {
    readonly put: PutJob
    readonly webhooks: SqliteWebhooks
    readonly records: SqliteRecords
    readonly quotas: SqliteQuotas
  },
): (unit: ChargedUnit) => CommitResult {
  const savepoint = db.prepare('SAVEPOINT unit')
  const release = db.prepare('RELEASE unit')
  const undo = db.prepare('ROLLBACK TO unit')
  const firstConflict = guardChecker(db)
  const isMore = foundChecker(db)
  const writeActivity = activityWriter(db)
  const writeRest = changesWriter(db)
  const checkStanding = sqliteReadBack(db)
  const revive = webhookReviver(db, put)

  const writeAll = (unit: Unit, stored: ActivityRow | undefined): Conflict | undefined => {
    const conflict = writeActivity(unit.activity, stored) ?? writeRest(unit)
    if (changesDirectory(unit)) webhooks.forget()
    if (conflict !== undefined) return conflict
    for (const job of unit.jobs)
      put(messageJob(job), { dueAt: job.createdAt, tenant: tenantOf(unit.activity, job.organizationId) })
    revive(unit)
    webhooks.write(unit.activity)
    checkStanding(unit)
    return undefined
  }

  return (unit) => {
    const broken = firstConflict(unit) ?? (unit.found?.some(isMore) === true ? 'guard' : undefined)
    if (broken !== undefined) return { kind: 'conflict', conflict: broken }
    // Before the savepoint: other units of the batch may already name the texts that it stores.
    const stored = unit.activity === undefined ? undefined : records.compact(unit.activity.row)
    // A lone new record needs no savepoint: it is one statement, which is atomic by itself, and its webhooks cannot
    // conflict.
    const begun = quotas.begin(unit)
    if (begun === undefined && recordOnly(unit) !== undefined) {
      const conflict = writeActivity(unit.activity, stored)
      if (conflict === undefined) webhooks.write(unit.activity)
      return asResult(conflict)
    }
    savepoint.run()
    const conflict = writeAll(unit, stored)
    const exhausted = conflict === undefined && begun !== undefined ? quotas.count(unit, begun) : undefined
    if (conflict !== undefined || exhausted !== undefined) undo.run()
    release.run()
    return exhausted === undefined ? asResult(conflict) : { kind: 'exhausted', exhausted }
  }
}

function guardChecker(db: DatabaseSync): (unit: Unit) => Conflict | undefined {
  const versionOf = db.prepare('SELECT version FROM charters WHERE organization_id = ?')
  const sealOf = db.prepare(
    'SELECT seal FROM objects WHERE organization_id = ? AND kind = ? AND object_id = ?',
  )
  return ({ guards, objectGuards }) => {
    for (const { organizationId, version } of guards)
      if ((versionOf.get(organizationId)?.['version'] ?? 0) !== version) return 'guard'
    for (const { organizationId, kind, objectId, seal } of objectGuards)
      if ((sealOf.get(organizationId, kind, objectId)?.['seal'] ?? null) !== seal) return 'object'
    return undefined
  }
}

/** Whether a lookup finds more by now. */
function foundChecker(db: DatabaseSync): (found: Found) => boolean {
  const isMore = (table: string, where: string) =>
    db.prepare(`SELECT count(*) > ? AS more FROM (SELECT 1 FROM ${table} WHERE ${where} LIMIT ? + 1)`)
  const ofKind = isMore('objects', 'organization_id = ? AND kind = ?')
  const ofEntry = isMore('directory', 'scope = ? AND kind = ? AND value = ?')
  return (found) => {
    const { organizationId, kind, count } = found
    const row =
      found.of === 'kind'
        ? ofKind.get(count, organizationId, kind, count)
        : ofEntry.get(count, organizationId, kind, found.value, count)
    return row?.['more'] === 1
  }
}

function activityWriter(
  db: DatabaseSync,
): (activity: Unit['activity'], stored: ActivityRow | undefined) => Conflict | undefined {
  const columns = Object.values(activityColumns)
  const add = db.prepare(
    `INSERT INTO activities (${columnList(activityColumns)}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  )
  const replace = db.prepare(
    `UPDATE OR IGNORE activities SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE organization_id = ? AND activity_id = ? AND revision = ?`,
  )
  const requested = db.prepare(
    'SELECT 1 FROM activities WHERE organization_id = ? AND timestamp_ms = ? AND fingerprint = ?',
  )
  const revised = db.prepare(
    'SELECT 1 FROM activities WHERE organization_id = ? AND activity_id = ? AND revision = ?',
  )

  return (activity, stored) => {
    if (activity === undefined || stored === undefined) return undefined
    const { row, replaces } = activity
    const key = [row.organizationId, row.activityId, replaces] as const
    const written =
      replaces === null ? add.run(...activityValues(stored)) : replace.run(...activityValues(stored), ...key)
    if (written.changes === 1) return undefined
    if (replaces !== null && revised.get(...key) === undefined) return 'revision'
    const { organizationId, timestampMs, fingerprint } = row
    const taken = requested.get(organizationId, timestampMs, fingerprint) !== undefined
    return taken ? 'fingerprint' : 'revision'
  }
}

// Removals come first, so that a unit may pass a name from one target to another. Names come before other rows, so that
// little is undone if one is taken.
function changesWriter(db: DatabaseSync): (unit: Unit) => Conflict | undefined {
  const putCharter = db.prepare(
    `INSERT INTO charters (${columnList(charterColumns)}) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET version = excluded.version, body = excluded.body, seal = excluded.seal`,
  )
  const putObject = db.prepare(
    `INSERT INTO objects (${columnList(objectColumns)}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body, seal = excluded.seal, expires_at = excluded.expires_at`,
  )
  const removeObject = db.prepare(
    'DELETE FROM objects WHERE organization_id = ? AND kind = ? AND object_id = ?',
  )
  const putEntry = db.prepare(
    'INSERT OR IGNORE INTO directory (scope, kind, value, target) VALUES (?, ?, ?, ?)',
  )
  const removeEntry = db.prepare(entryRemoval('directory'))
  const putClaims = claimWriter(db)
  const removeClaim = db.prepare(entryRemoval('claims'))

  return ({ charters, objects, claims, directory }) => {
    for (const claim of claims.remove) removeClaim.run(...entryValues(claim))
    const conflict = putClaims(claims.put)
    if (conflict !== undefined) return conflict
    for (const charter of charters) putCharter.run(...charterValues(charter))
    for (const { organizationId, kind, objectId } of objects.remove)
      removeObject.run(organizationId, kind, objectId)
    for (const { organizationId, kind, objectId, body, seal, expiresAt } of objects.put)
      putObject.run(organizationId, kind, objectId, body, seal, expiresAt)
    for (const entry of directory.remove) removeEntry.run(...entryValues(entry))
    for (const entry of directory.put) putEntry.run(...entryValues(entry))
    return undefined
  }
}

function claimWriter(db: DatabaseSync): (claims: readonly DirectoryEntry[]) => Conflict | undefined {
  const put = db.prepare('INSERT OR IGNORE INTO claims (scope, kind, value, target) VALUES (?, ?, ?, ?)')
  const held = db.prepare('SELECT target FROM claims WHERE scope = ? AND kind = ? AND value = ?')
  return (claims) => {
    for (const claim of claims) {
      if (put.run(...entryValues(claim)).changes === 1) continue
      if (held.get(claim.scope, claim.kind, claim.value)?.['target'] !== claim.target) return 'claim'
    }
    return undefined
  }
}

function changesDirectory({ directory }: Unit): boolean {
  return directory.put.length + directory.remove.length > 0
}

function entryRemoval(table: 'claims' | 'directory'): string {
  return `DELETE FROM ${table} WHERE scope = ? AND kind = ? AND value = ? AND target = ?`
}

function charterValues(charter: CharterRow): [string, number, string, string] {
  return [charter.organizationId, charter.version, charter.body, charter.seal]
}

function entryValues(entry: DirectoryEntry): [string, string, string, string] {
  return [entry.scope, entry.kind, entry.value, entry.target]
}

function asResult(conflict: Conflict | undefined): CommitResult {
  return conflict === undefined ? { kind: 'committed' } : { kind: 'conflict', conflict }
}
