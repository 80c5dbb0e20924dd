import pg from 'pg'
import { Bug } from '../../../trusted/base/assert.ts'
import type { CharterRow, DirectoryEntry, Unit } from '../../../trusted/catalogue/unit.ts'
import { activityColumns, activityValues, charterColumns, columnList } from '../columns.ts'
import { ofActivity } from './listing.ts'
import { checkFound } from './found.ts'
import { lockGuardedObjects, writeObjects } from './objects.ts'
import { lockOrganizations } from './organization-locks.ts'
import type { Connections } from './connection.ts'
import { reviveWebhooks, writeMessages, writeWebhooks } from './queue.ts'
import { readBack } from './read-back.ts'
import { isReadHere } from './read-here.ts'
import { compactRecords } from './record-texts.ts'
import { accountOf } from '../quotas/account.ts'
import { count, type KnownQuotas, measure } from '../quotas/postgres-quotas.ts'
import type { ChargedUnit } from '../quotas/quota.ts'
import type { QuotaSettings } from '../quotas/settings.ts'
import { inPreparedTransaction } from './transaction.ts'
import type { CommitResult, Conflict } from '../store.ts'

/**
 * Writes one unit in a transaction of its own. Locks are taken in one order (organizations, guarded objects, charters,
 * activity, objects, claims, directory, ordering keys, counts of quotas, each sorted). If two hosts still wait in a
 * circle, the unit is tried again.
 */
export async function writeUnit(means: UnitMeans, unit: ChargedUnit): Promise<CommitResult> {
  for (let tried = 1; ; tried++) {
    const settings = means.quotas.current
    const outcome = await writeOnce(means, unit, settings)
    if (outcome !== OTHER_QUOTAS) return outcome
    if (tried === QUOTAS_READ_MAX) throw new Bug(`the quotas changed ${tried} times during one commit`)
    await means.quotas.renew(settings)
  }
}

const QUOTAS_READ_MAX = 20

export type UnitMeans = Pick<Connections, 'units' | 'texts' | 'timeline'> & { readonly quotas: KnownQuotas }

/** The unit was counted by settings that have changed. */
const OTHER_QUOTAS = 'other quotas'

async function writeOnce(
  means: UnitMeans,
  unit: ChargedUnit,
  settings: QuotaSettings,
): Promise<CommitResult | typeof OTHER_QUOTAS> {
  const { units, texts } = means
  try {
    const account = accountOf(settings, unit)
    const prepare = (client: pg.ClientBase) => asStored(unit, texts, client)
    return await inPreparedTransaction<ChargedUnit, CommitResult | typeof OTHER_QUOTAS>(
      units,
      prepare,
      async (client, stored) => {
        if (!isReadHere(unit, means)) return { keep: false, result: { kind: 'conflict', conflict: 'guard' } }
        const before = account === undefined ? undefined : await measure(client, account)
        const conflict = await firstConflict(client, stored, settings.version)
        if (conflict === OTHER_QUOTAS) return { keep: false, result: OTHER_QUOTAS }
        if (conflict !== undefined) return { keep: false, result: { kind: 'conflict', conflict } }
        const [over] = account === undefined ? [] : await count(client, [unit], account, before)
        const exhausted = over?.exhausted
        if (exhausted !== undefined) return { keep: false, result: { kind: 'exhausted', exhausted } }
        return { keep: true, result: { kind: 'committed' } }
      },
    )
  } catch (error) {
    // Only the update of an activity can meet it; every insert skips duplicates.
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION)
      return { kind: 'conflict', conflict: 'fingerprint' }
    throw error
  }
}

const UNIQUE_VIOLATION = '23505'

async function asStored(
  unit: ChargedUnit,
  texts: Connections['texts'],
  client: pg.ClientBase,
): Promise<ChargedUnit> {
  const { activity } = unit
  if (activity === undefined) return unit
  const [row = activity.row] = await compactRecords(texts, [activity.row], client)
  return { ...unit, activity: { ...activity, row } }
}

// Guarded objects are locked before the charters are read: a transaction that waited for a row then sees the charter in
// the state that the previous one left. Of two conflicts, that of the charter is still reported first.
async function firstConflict(
  client: pg.ClientBase,
  unit: ChargedUnit,
  quotas: number,
): Promise<Conflict | typeof OTHER_QUOTAS | undefined> {
  await lockOrganizations(client, unit)
  const taken = await lockGuardedObjects(client, unit)
  if (taken !== undefined) return (await compareGuards(client, unit.guards)) ?? taken
  return (
    (await checkGuards(client, unit)) ??
    (await writeCharters(client, unit.charters)) ??
    (await checkFound(client, unit)) ??
    (await writeActivity(client, unit.activity)) ??
    (await writeObjects(client, unit)) ??
    (await writeClaims(client, unit.claims)) ??
    (await writeDirectory(client, unit.directory)) ??
    (await writeMessages(client, unit)) ??
    (await reviveWebhooks(client, unit)) ??
    (await finish(client, unit, quotas))
  )
}

// Few organizations have webhooks, so reading back and asking for listeners share a statement. If there are webhooks,
// the unit is read back again: writing them may have fired a trigger.
async function finish(
  client: pg.ClientBase,
  unit: Unit,
  quotas: number,
): Promise<typeof OTHER_QUOTAS | undefined> {
  const { hasListeners, areQuotas } = await readBack(client, unit, quotas)
  if (!areQuotas) return OTHER_QUOTAS
  if (!hasListeners) return undefined
  await writeWebhooks(client, unit)
  await readBack(client, unit, quotas)
  return undefined
}

// The amendment itself checks the amended charter. The others cannot change any more: their organizations are locked,
// except for a unit that only records, or only writes rows that guard themselves.
async function checkGuards(client: pg.ClientBase, { guards, charters }: Unit): Promise<Conflict | undefined> {
  const others = guards.filter(
    ({ organizationId, version }) =>
      !charters.some(
        (charter) => charter.organizationId === organizationId && charter.version - 1 === version,
      ),
  )
  return others.length === 0 ? undefined : await compareGuards(client, others)
}

async function compareGuards(client: pg.ClientBase, guards: Unit['guards']): Promise<Conflict | undefined> {
  const { rows } = await client.query<Pick<CharterRow, 'organizationId' | 'version'>>({
    ...GUARDS,
    values: [guards.map((guard) => guard.organizationId)],
  })
  const versions = new Map(rows.map((row) => [row.organizationId, row.version]))
  const hold = guards.every((guard) => (versions.get(guard.organizationId) ?? 0) === guard.version)
  return hold ? undefined : 'guard'
}

const GUARDS = {
  name: 'guards',
  text: `SELECT id AS "organizationId", version FROM unnest($1::text[]) AS guard (id)
    CROSS JOIN LATERAL (SELECT version FROM charters WHERE organization_id = guard.id OFFSET 0) AS found`,
}

async function writeCharters(
  client: pg.ClientBase,
  charters: readonly CharterRow[],
): Promise<Conflict | undefined> {
  const sorted = [...charters].sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1))
  for (const { organizationId, version, body, seal } of sorted) {
    const statement = version === 1 ? FOUND_CHARTER : AMEND_CHARTER
    const written = await client.query({ ...statement, values: [organizationId, version, body, seal] })
    if (written.rowCount !== 1) return 'guard'
  }
  return undefined
}

const FOUND_CHARTER = {
  name: 'found charter',
  text: `INSERT INTO charters (${columnList(charterColumns)}) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
}
const AMEND_CHARTER = {
  name: 'amend charter',
  text: 'UPDATE charters SET version = $2, body = $3, seal = $4 WHERE organization_id = $1 AND version = $2::bigint - 1',
}

async function writeActivity(
  client: pg.ClientBase,
  activity: Unit['activity'],
): Promise<Conflict | undefined> {
  if (activity === undefined) return undefined
  const { row, replaces } = activity
  const values = activityValues(row)
  if (replaces !== null) {
    const written = await client.query({ ...REPLACE_ACTIVITY, values: [...values, replaces] })
    return written.rowCount === 1 ? undefined : 'revision'
  }
  const written = await client.query({ ...ADD_ACTIVITY, values })
  if (written.rowCount === 1) return undefined
  const { organizationId, timestampMs, fingerprint } = row
  const same = await client.query({ ...SAME_REQUEST, values: [organizationId, timestampMs, fingerprint] })
  return same.rowCount === 1 ? 'fingerprint' : 'revision'
}

const ACTIVITY_COLUMNS = Object.values(activityColumns)
const ADD_ACTIVITY = {
  name: 'add activity',
  text: `INSERT INTO activities (${columnList(activityColumns)}) VALUES (${ACTIVITY_COLUMNS.map((_, at) => `$${at + 1}`).join(', ')}) ON CONFLICT DO NOTHING`,
}
/**
 * The row is first found and locked, so that the lookup can have an order and therefore uses one index (see
 * `ofActivity`): the equalities of an UPDATE were answered by walking all rows of an organization. A vote in the
 * meantime has left another revision there, and nothing is replaced.
 */
const REPLACE_ACTIVITY = {
  name: 'replace activity',
  text: `UPDATE activities SET ${ACTIVITY_COLUMNS.map((column, at) => `${column} = $${at + 1}`).join(', ')}
    WHERE ctid = (SELECT ctid FROM activities ${ofActivity('$1', '$2')} FOR NO KEY UPDATE)
      AND revision = $${ACTIVITY_COLUMNS.length + 1}`,
}
const SAME_REQUEST = {
  name: 'same request',
  text: 'SELECT 1 FROM activities WHERE organization_id = $1 AND timestamp_ms = $2 AND fingerprint = $3',
}

async function writeClaims(
  client: pg.ClientBase,
  { put, remove }: Unit['claims'],
): Promise<Conflict | undefined> {
  if (remove.length > 0) await client.query({ ...REMOVE_CLAIMS, values: entryValues(remove) })
  if (put.length === 0) return undefined
  const added = await client.query({ ...PUT_CLAIMS, values: entryValues(put) })
  if (added.rowCount === put.length) return undefined
  // A skipped claim is fine if its own target holds it; an obstacle may be gone again by now.
  const { rows } = await client.query<{ held: number }>({ ...HELD_CLAIMS, values: entryValues(put) })
  return rows[0]?.held === put.length ? undefined : 'claim'
}

async function writeDirectory(client: pg.ClientBase, { put, remove }: Unit['directory']): Promise<undefined> {
  await removeEntries(client, remove)
  if (put.length > 0) await client.query({ ...PUT_ENTRIES, values: entryValues(put) })
}

export async function removeEntries(
  client: pg.ClientBase,
  entries: readonly DirectoryEntry[],
): Promise<void> {
  if (entries.length > 0) await client.query({ ...REMOVE_ENTRIES, values: entryValues(entries) })
}

function entryValues(entries: readonly DirectoryEntry[]): string[][] {
  return [
    entries.map((entry) => entry.scope),
    entries.map((entry) => entry.kind),
    entries.map((entry) => entry.value),
    entries.map((entry) => entry.target),
  ]
}

const ENTRIES = 'unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS entry (scope, kind, value, target)'
const sameAs = (table: 'claims' | 'directory') =>
  `${table}.scope = entry.scope AND ${table}.kind = entry.kind AND ${table}.value = entry.value AND ${table}.target = entry.target`

const REMOVE_CLAIMS = {
  name: 'remove claims',
  text: `DELETE FROM claims USING ${ENTRIES} WHERE ${sameAs('claims')}`,
}
const PUT_CLAIMS = {
  name: 'put claims',
  text: `INSERT INTO claims (scope, kind, value, target) SELECT * FROM ${ENTRIES} ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
}
const HELD_CLAIMS = {
  name: 'held claims',
  text: `SELECT count(*) AS held FROM ${ENTRIES} JOIN claims ON ${sameAs('claims')}`,
}
const REMOVE_ENTRIES = {
  name: 'remove entries',
  text: `DELETE FROM directory USING ${ENTRIES} WHERE ${sameAs('directory')}`,
}
const PUT_ENTRIES = {
  name: 'put entries',
  text: `INSERT INTO directory (scope, kind, value, target) SELECT * FROM ${ENTRIES} ORDER BY 1, 2, 3, 4 ON CONFLICT DO NOTHING`,
}
