import type pg from 'pg'
import { Bug } from '../../../trusted/base/assert.ts'
import type { Ms } from '../../../trusted/base/world.ts'
import type { Pool } from '../postgres/pool.ts'
import { type Account, addedBy, boundOf, type CountedRows, type Measured, touchesRows } from './account.ts'
import {
  COUNTED,
  countsAfter,
  type Counts,
  countsFrom,
  countsText,
  exhaustedIn,
  hasStanding,
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
 * The settings that this host knows. Every commit compares their version within a statement that it needs anyway. So a
 * commit that was counted by older settings is rolled back, and repeated with the present ones. Those of a server that
 * was left count as none: its successor may have others of the same version.
 */
export class KnownQuotas {
  readonly #pool: Pick<Pool, 'read'>
  readonly #server: () => unknown
  #settings = NO_QUOTAS
  #readFrom: unknown
  #renewal: Promise<unknown> | undefined

  /** @param server  as `Store.server` */
  constructor(pool: Pick<Pool, 'read'>, server: () => unknown) {
    this.#pool = pool
    this.#server = server
  }

  get current(): QuotaSettings {
    return this.#readFrom === this.#server() ? this.#settings : NO_QUOTAS
  }

  /** The present settings; the quotas themselves are read only if their version is another one. */
  async reload(): Promise<QuotaSettings> {
    const server = this.#server()
    const known = this.current.version
    const { rows } = await this.#pool.read<Noted>({ ...READ_OTHER_SETTINGS, values: [String(known)] })
    const version = rows.find(({ name }) => name === QUOTA_VERSION_NOTE)?.value ?? '0'
    if (Number(version) !== known) this.#settings = settingsIn(rows)
    else if (known === NO_QUOTAS.version) this.#settings = NO_QUOTAS
    this.#readFrom = server
    return this.#settings
  }

  /** The same for a commit that was counted by outdated settings: all commits that meet a change share one reading. */
  async renew(outdated: QuotaSettings): Promise<void> {
    if (this.current !== outdated) return
    this.#renewal ??= this.reload().finally(() => {
      this.#renewal = undefined
    })
    await this.#renewal
  }
}

/** Whether the settings have this version, as an SQL expression; version 0 has no note. */
export function areQuotasOf(version: string): string {
  return `coalesce((SELECT value FROM notes WHERE name = '${QUOTA_VERSION_NOTE}'), '0') = ${version}::text`
}

/** The amounts of rows, in the transaction that is about to change them, or has changed them. */
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

/** A unit that would exceed a quota, and this quota. */
export type OverQuota = { readonly unit: ChargedUnit; readonly exhausted: Exhausted }

/**
 * Counts written units, or returns those that would exceed a quota; then the transaction must be rolled back, and the
 * other units fit together. This is the last step of a transaction, because from then on all other transactions of
 * these organizations wait until it has committed.
 *
 * @param before  the amounts of its rows before, for a lone unit; several units together do not touch rows that count
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
      exhausted ??= exhaustedIn(organizationId, counts, quotas, boundOf(unit.charge, added))
    }
    // A unit that does not fit leaves its share to those after it.
    if (exhausted !== undefined) over.push({ unit, exhausted })
    else for (const [organizationId, counts] of next) counted.set(organizationId, counts)
  }
  if (over.length === 0) await write(client, counted)
  return over
}

/** The counts of these organizations; from here on only this transaction can change them. */
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

/** The counts of an organization, as written. */
export async function readCounts(pool: Pool, organizationId: string): Promise<Counts> {
  const { rows } = await pool.read<Pick<CountRow, 'text'>>({ ...READ_COUNTS, values: [organizationId] })
  return countsFrom(rows[0]?.text ?? '')
}

/**
 * Counts standing amounts again, while no other transaction counts for the organization: rows that are written and not
 * counted yet are seen by neither.
 */
export async function recount(
  client: pg.ClientBase,
  organizationId: string,
  now: Ms,
): Promise<readonly Drift[]> {
  const { rows } = await client.query<Noted>(READ_SETTINGS)
  const quotas = quotasOf(settingsIn(rows), organizationId)
  if (!hasStanding(quotas)) return []
  const held = await hold(client, [organizationId])
  const counts = held.get(organizationId) ?? {}
  const standing = await standingOf(client, organizationId)
  await write(client, new Map([[organizationId, countsAfter(counts, quotas, { added: {}, standing, now })]]))
  return driftsOf(organizationId, counts, quotas, standing)
}

/**
 * Replaces the settings of the previous version. Writes under way are finished first, and later ones meet the new
 * version: so no row that a new quota counts is written without being counted.
 *
 * @returns whether the stored settings were of the previous version
 */
export async function replaceSettings(client: pg.ClientBase, next: QuotaSettings): Promise<boolean> {
  // In the order in which units write, and in an exclusive mode, so that two replacements come one after the other.
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
const READ_OTHER_SETTINGS = {
  name: 'other quota settings',
  text: `SELECT name, value FROM notes WHERE name = '${QUOTA_VERSION_NOTE}'
UNION ALL SELECT name, value FROM notes WHERE name = '${QUOTA_SETTINGS_NOTE}' AND NOT ${areQuotasOf('$1')}`,
}
const PUT_NOTE = {
  name: 'put quota note',
  text: 'INSERT INTO notes (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
}

/** A seal names its format and the version of the root key; the rest has one length, whatever the version. */
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

/**
 * In the order of their ids, so that no two transactions wait for each other; each row is locked, and inserted if it is
 * missing.
 */
const HOLD_COUNTS = {
  name: 'hold counts',
  text: `INSERT INTO claims AS held (scope, kind, value, target)
SELECT '${COUNTED.scope}', '${COUNTED.kind}', id, '' FROM unnest($1::text[]) AS wanted (id) ORDER BY id COLLATE "C"
ON CONFLICT (scope, kind, value) DO UPDATE SET target = held.target
RETURNING value AS "organizationId", target AS text`,
}
const WRITE_COUNTS = {
  name: 'write counts',
  text: `INSERT INTO claims (scope, kind, value, target)
SELECT '${COUNTED.scope}', '${COUNTED.kind}', id, text FROM unnest($1::text[], $2::text[]) AS new (id, text)
ON CONFLICT (scope, kind, value) DO UPDATE SET target = excluded.target`,
}
const READ_COUNTS = {
  name: 'read counts',
  text: `SELECT target AS text FROM claims WHERE ${IS_COUNT} AND value = $1`,
}
