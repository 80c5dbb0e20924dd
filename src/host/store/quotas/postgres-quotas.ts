import type pg from 'pg'
import { Bug } from '../../../trusted/base/assert.ts'
import type { Ms } from '../../../trusted/base/world.ts'
import type { Pool } from '../postgres/pool.ts'
import { type Account, addedBy, type CountedRows, type Measured, touchesRows } from './account.ts'
import {
  COUNTED,
  countsAfter,
  type Counts,
  countsFrom,
  countsText,
  exhaustedIn,
  needsStanding,
} from './counts.ts'
import { driftsOf } from './drift.ts'
import { COUNTS, IS_SUB_ORGANIZATION } from './measuring.ts'
import type { ChargedUnit, Drift, Exhausted, StandingAmounts } from './quota.ts'
import {
  NO_QUOTAS,
  QUOTA_SETTINGS_NOTE,
  QUOTA_VERSION_NOTE,
  type QuotaSettings,
  quotasOf,
  settingsFrom,
  settingsText,
} from './settings.ts'

/**
 * The settings as this host knows them. Every commit compares their version in a statement that it makes anyway, so
 * that one which was counted by older settings is taken back, and done again with those that stand.
 */
export class KnownQuotas {
  readonly #pool: Pool
  #settings = NO_QUOTAS

  constructor(pool: Pool) {
    this.#pool = pool
  }

  get current(): QuotaSettings {
    return this.#settings
  }

  async reload(): Promise<QuotaSettings> {
    const { rows } = await this.#pool.read<Noted>(READ_SETTINGS)
    this.#settings = settingsIn(rows)
    return this.#settings
  }
}

/** Whether the settings are those of this version, an expression of SQL; version 0 has no note. */
export function areQuotasOf(version: string): string {
  return `coalesce((SELECT value FROM notes WHERE name = '${QUOTA_VERSION_NOTE}'), '0') = ${version}::text`
}

/** What rows come to, in the transaction that is about to change them, or has. */
export async function measure(client: pg.ClientBase, { rows: counted }: Account): Promise<Measured> {
  const { objects, charters, entries } = counted
  if (objects.length + charters.length + entries.length === 0) return new Map()
  const { rows } = await client.query<StandingAmounts & { readonly organizationId: string }>({
    ...MEASURE,
    values: measuredKeys(counted),
  })
  return new Map(rows.map(({ organizationId, ...standing }) => [organizationId, standing]))
}

function measuredKeys({ objects, charters, entries }: CountedRows): readonly (readonly string[])[] {
  return [
    objects.map(({ organizationId }) => organizationId),
    objects.map(({ kind }) => kind),
    objects.map(({ objectId }) => objectId),
    charters,
    entries.map(({ scope }) => scope),
    entries.map(({ target }) => target),
  ]
}

/** A unit that would exceed a quota, and what of it. */
export type OverQuota = { readonly unit: ChargedUnit; readonly exhausted: Exhausted }

/**
 * Counts units that are written, or tells which of them would exceed what: then nothing of any of them is to be kept,
 * and the others fit together. It is the last thing that a transaction does, since from then on it keeps all others of
 * these organizations waiting until it has committed.
 *
 * @param before  what its rows came to, of a lone unit; several that go together touch no rows that count
 */
export async function count(
  client: pg.ClientBase,
  units: readonly ChargedUnit[],
  account: Account,
  before: Measured = new Map(),
): Promise<readonly OverQuota[]> {
  const after = touchesRows(account) ? await measure(client, account) : before
  const counted = await hold(client, [...account.organizations.keys()])
  const standing = new Map<string, StandingAmounts>()
  for (const [organizationId, quotas] of account.organizations)
    if (needsStanding(counted.get(organizationId) ?? {}, quotas))
      standing.set(organizationId, await standingOf(client, organizationId))
  const over: OverQuota[] = []
  for (const unit of units) {
    const next = new Map<string, Counts>()
    let exhausted: Exhausted | undefined
    for (const [organizationId, quotas] of account.organizations) {
      const added = addedBy(unit, organizationId, { before, after })
      const stands = standing.get(organizationId)
      const counts = countsAfter(counted.get(organizationId) ?? {}, quotas, {
        added,
        ...(stands === undefined ? {} : { standing: stands }),
        now: unit.charge?.now,
      })
      next.set(organizationId, counts)
      if (unit.charge?.isBound === true) exhausted ??= exhaustedIn(organizationId, counts, quotas, added)
    }
    // One that does not fit leaves what there is to those behind it.
    if (exhausted !== undefined) over.push({ unit, exhausted })
    else for (const [organizationId, counts] of next) counted.set(organizationId, counts)
  }
  if (over.length === 0) await write(client, counted)
  return over
}

/** The counts of these organizations, which are this transaction's alone from here on. */
async function hold(client: pg.ClientBase, organizationIds: readonly string[]): Promise<Map<string, Counts>> {
  const { rows } = await client.query<CountRow>({ ...HOLD_COUNTS, values: [organizationIds] })
  return new Map(rows.map(({ organizationId, text }) => [organizationId, countsFrom(text)]))
}

async function write(client: pg.ClientBase, counts: ReadonlyMap<string, Counts>): Promise<void> {
  const { rowCount } = await client.query({
    ...WRITE_COUNTS,
    values: [[...counts.keys()], [...counts.values()].map(countsText)],
  })
  if (rowCount !== counts.size) throw new Bug('the counts that are held are there')
}

async function standingOf(client: pg.ClientBase, organizationId: string): Promise<StandingAmounts> {
  const { rows } = await client.query<StandingAmounts>({ ...STANDING, values: [organizationId] })
  const [standing] = rows
  if (standing === undefined) throw new Bug('a sum over no rows is a row')
  return standing
}

/** The counts of an organization, as they are written. */
export async function readCounts(pool: Pool, organizationId: string): Promise<Counts> {
  const { rows } = await pool.read<Pick<CountRow, 'text'>>({ ...READ_COUNTS, values: [organizationId] })
  return countsFrom(rows[0]?.text ?? '')
}

/**
 * Counts anew what stands, while nobody else counts for the organization: what is written and not counted yet is seen
 * by neither.
 */
export async function recount(
  client: pg.ClientBase,
  organizationId: string,
  now: Ms,
): Promise<readonly Drift[]> {
  const { rows } = await client.query<Noted>(READ_SETTINGS)
  const quotas = quotasOf(settingsIn(rows), organizationId)
  if (quotas === undefined) return []
  const held = await hold(client, [organizationId])
  const counts = held.get(organizationId) ?? {}
  const standing = await standingOf(client, organizationId)
  await write(client, new Map([[organizationId, countsAfter(counts, quotas, { added: {}, standing, now })]]))
  return driftsOf(organizationId, counts, quotas, standing)
}

/**
 * Puts new settings in the place of those of the version before. Whatever was being written is finished before, and
 * what comes after meets the new version: so no row that a new quota counts is written and left uncounted.
 *
 * @returns whether they were of the version before
 */
export async function replaceSettings(client: pg.ClientBase, next: QuotaSettings): Promise<boolean> {
  // In the order in which units write; in a mode that one alone can have, so that of two who replace them one comes
  // after the other.
  await client.query("SET LOCAL lock_timeout = '5s'")
  for (const table of ['charters', 'objects', 'directory'])
    await client.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`)
  const { rows } = await client.query<Noted>(READ_SETTINGS)
  if (settingsIn(rows).version !== next.version - 1) return false
  await client.query({ ...PUT_NOTE, values: [QUOTA_SETTINGS_NOTE, settingsText(next)] })
  await client.query({ ...PUT_NOTE, values: [QUOTA_VERSION_NOTE, String(next.version)] })
  return true
}

type Noted = { readonly name: string; readonly value: string }
type CountRow = { readonly organizationId: string; readonly text: string }

function settingsIn(rows: readonly Noted[]): QuotaSettings {
  const noted = new Map(rows.map(({ name, value }) => [name, value]))
  return settingsFrom(noted.get(QUOTA_VERSION_NOTE), noted.get(QUOTA_SETTINGS_NOTE))
}

const READ_SETTINGS = {
  name: 'quota settings',
  text: `SELECT name, value FROM notes WHERE name IN ('${QUOTA_VERSION_NOTE}', '${QUOTA_SETTINGS_NOTE}')`,
}
const PUT_NOTE = {
  name: 'put quota note',
  text: 'INSERT INTO notes (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
}

/** A seal names its format and the version of the root key; what comes after has one length, whatever the version. */
const BYTES = `octet_length(body) + octet_length(regexp_replace(seal, '^[0-9]+\\.[0-9]+\\.', ''))`

const MEASURE = {
  name: 'measure rows',
  text: `SELECT organization_id AS "organizationId", sum(objects)::bigint AS objects,
  sum(subs)::bigint AS "subOrganizations", sum(bytes)::bigint AS "storedBytes"
FROM (
  SELECT due.organization_id, objects, 0 AS subs, bytes
  FROM unnest($1::text[], $2::text[], $3::text[]) AS due (organization_id, kind, object_id)
  CROSS JOIN LATERAL (SELECT 1 AS objects, ${BYTES} AS bytes FROM objects
    WHERE objects.organization_id = due.organization_id AND objects.kind = due.kind AND objects.object_id = due.object_id
      AND ${COUNTS} OFFSET 0) AS found
  UNION ALL
  SELECT due.organization_id, 0, 0, bytes FROM unnest($4::text[]) AS due (organization_id)
  CROSS JOIN LATERAL (SELECT octet_length(body) AS bytes FROM charters
    WHERE charters.organization_id = due.organization_id OFFSET 0) AS found
  UNION ALL
  SELECT due.scope, 0, 1, 0 FROM unnest($5::text[], $6::text[]) AS due (scope, target)
  CROSS JOIN LATERAL (SELECT FROM directory
    WHERE directory.scope = due.scope AND ${IS_SUB_ORGANIZATION} AND directory.target = due.target OFFSET 0) AS found
) AS row
GROUP BY organization_id`,
}

const STANDING = {
  name: 'standing of an organization',
  text: `SELECT count(*) AS objects,
  (SELECT count(*) FROM directory WHERE scope = $1 AND ${IS_SUB_ORGANIZATION}) AS "subOrganizations",
  (coalesce(sum(${BYTES}), 0) + coalesce((SELECT octet_length(body) FROM charters WHERE organization_id = $1), 0))::bigint AS "storedBytes"
FROM objects WHERE organization_id = $1 AND ${COUNTS}`,
}

const IS_COUNT = `scope = '${COUNTED.scope}' AND kind = '${COUNTED.kind}'`

/** In order of their ids, so that no two wait for each other; each is locked, and put down where it is missing. */
const HOLD_COUNTS = {
  name: 'hold counts',
  text: `INSERT INTO claims AS held (scope, kind, value, target)
SELECT '${COUNTED.scope}', '${COUNTED.kind}', id, '' FROM unnest($1::text[]) AS wanted (id) ORDER BY id COLLATE "C"
ON CONFLICT (scope, kind, value) DO UPDATE SET target = held.target
RETURNING value AS "organizationId", target AS text`,
}
const WRITE_COUNTS = {
  name: 'write counts',
  text: `UPDATE claims SET target = new.text FROM unnest($1::text[], $2::text[]) AS new (id, text)
WHERE ${IS_COUNT} AND value = new.id`,
}
const READ_COUNTS = {
  name: 'read counts',
  text: `SELECT target AS text FROM claims WHERE ${IS_COUNT} AND value = $1`,
}
