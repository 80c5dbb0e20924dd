import type { DatabaseSync } from 'node:sqlite'
import {
  type Account,
  accountOf,
  addedBy,
  boundOf,
  type CountedRows,
  type Measured,
  NOTHING_STANDS,
  touchesRows,
} from './account.ts'
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
import type { ChargedUnit, Drift, Exhausted, QuotasOf, StandingAmounts } from './quota.ts'
import {
  QUOTA_SETTINGS_NOTE,
  QUOTA_VERSION_NOTE,
  type QuotaSettings,
  quotasOf,
  settingsFrom,
  settingsText,
} from './settings.ts'

/** All functions except `settings` run inside a batch. */
export type SqliteQuotas = {
  readonly settings: () => QuotaSettings
  /** The counted rows of the unit, and their amounts before it is written. */
  readonly begin: (unit: ChargedUnit) => Begun | undefined
  /** Counts a written unit, or returns the quota that it would exceed. */
  readonly count: (unit: ChargedUnit, begun: Begun) => Exhausted | undefined
  /** Replaces the settings of the previous version; returns whether the stored ones had it. */
  readonly replace: (next: QuotaSettings) => boolean
  readonly counts: (organizationId: string) => Counts
  readonly recount: (organizationId: string, now: number) => readonly Drift[]
  /** The settings in memory may be out of date. */
  readonly forget: () => void
}

type Begun = { readonly account: Account; readonly before: Measured }

/** Only this process holds the file, so the settings are read once. */
export function sqliteQuotas(db: DatabaseSync): SqliteQuotas {
  const note = db.prepare('SELECT value FROM notes WHERE name = ?')
  const putNote = db.prepare(
    'INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const readCount = db.prepare('SELECT target FROM claims WHERE scope = ? AND kind = ? AND value = ?')
  const putCount = db.prepare(
    'INSERT INTO claims (scope, kind, value, target) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET target = excluded.target',
  )
  const { rowsOf, standingOf } = measuring(db)
  let known: QuotaSettings | undefined

  const noted = (name: string): string | undefined => {
    const value = note.get(name)?.['value']
    return typeof value === 'string' ? value : undefined
  }
  const settings = (): QuotaSettings =>
    (known ??= settingsFrom(noted(QUOTA_VERSION_NOTE), noted(QUOTA_SETTINGS_NOTE)))
  const counts = (organizationId: string): Counts =>
    countsFrom(String(readCount.get(COUNTED.scope, COUNTED.kind, organizationId)?.['target'] ?? ''))
  const write = (organizationId: string, after: Counts): void => {
    putCount.run(COUNTED.scope, COUNTED.kind, organizationId, countsText(after))
  }

  const countOne = (
    unit: ChargedUnit,
    measured: { readonly before: Measured; readonly after: Measured },
    [organizationId, quotas]: readonly [string, QuotasOf],
  ): Exhausted | undefined => {
    const counted = counts(organizationId)
    const added = addedBy(unit, organizationId, measured)
    const standing = needsStanding(counted, quotas) ? { standing: standingOf(organizationId) } : {}
    const after = countsAfter(counted, quotas, { added, ...standing, now: unit.charge?.now })
    const exhausted = exhaustedIn(organizationId, after, quotas, boundOf(unit.charge, added))
    if (exhausted === undefined) write(organizationId, after)
    return exhausted
  }

  return {
    settings,
    begin: (unit) => {
      const account = accountOf(settings(), unit)
      return account === undefined ? undefined : { account, before: rowsOf(account.rows) }
    },
    count: (unit, { account, before }) => {
      const after = touchesRows(account) ? rowsOf(account.rows) : before
      for (const organization of account.organizations) {
        const exhausted = countOne(unit, { before, after }, organization)
        if (exhausted !== undefined) return exhausted
      }
      return undefined
    },
    replace: (next) => {
      if (settings().version !== next.version - 1) return false
      putNote.run(QUOTA_SETTINGS_NOTE, settingsText(next))
      putNote.run(QUOTA_VERSION_NOTE, String(next.version))
      known = next
      return true
    },
    counts,
    recount: (organizationId, now) => {
      const quotas = quotasOf(settings(), organizationId)
      if (!hasStanding(quotas)) return []
      const counted = counts(organizationId)
      const standing = standingOf(organizationId)
      write(organizationId, countsAfter(counted, quotas, { added: {}, standing, now }))
      return driftsOf(organizationId, counted, quotas, standing)
    },
    forget: () => {
      known = undefined
    },
  }
}

/** A seal names its format and the version of the root key; the rest has one length, whatever the version. */
const PREFIX_END = "(instr(seal, '.') + instr(substr(seal, instr(seal, '.') + 1), '.'))"
const BYTES = `octet_length(body) + octet_length(substr(seal, ${PREFIX_END} + 1))`

function measuring(db: DatabaseSync): {
  readonly rowsOf: (rows: CountedRows) => Measured
  readonly standingOf: (organizationId: string) => StandingAmounts
} {
  const object = db.prepare(
    `SELECT 1 AS objects, 0 AS subOrganizations, ${BYTES} AS storedBytes FROM objects
     WHERE organization_id = ? AND kind = ? AND object_id = ? AND ${COUNTS}`,
  )
  const charter = db.prepare(
    'SELECT 0 AS objects, 0 AS subOrganizations, octet_length(body) AS storedBytes FROM charters WHERE organization_id = ?',
  )
  const entry = db.prepare(
    `SELECT 0 AS objects, 1 AS subOrganizations, 0 AS storedBytes FROM directory WHERE scope = ? AND ${IS_SUB_ORGANIZATION} AND target = ?`,
  )
  const all = db.prepare(
    `SELECT count(*) AS objects,
       (SELECT count(*) FROM directory WHERE scope = $id AND ${IS_SUB_ORGANIZATION}) AS subOrganizations,
       coalesce(sum(${BYTES}), 0) + coalesce((SELECT octet_length(body) FROM charters WHERE organization_id = $id), 0) AS storedBytes
     FROM objects WHERE organization_id = $id AND ${COUNTS}`,
  )
  return {
    rowsOf: ({ objects, charters, entries }) => {
      const sums = new Map<string, StandingAmounts>()
      const add = (organizationId: string, row: { readonly [name: string]: unknown } | undefined): void => {
        if (row !== undefined)
          sums.set(organizationId, sum(sums.get(organizationId) ?? NOTHING_STANDS, standingIn(row)))
      }
      for (const { organizationId, kind, objectId } of objects)
        add(organizationId, object.get(organizationId, kind, objectId))
      for (const id of charters) add(id, charter.get(id))
      for (const { scope, target } of entries) add(scope, entry.get(scope, target))
      return sums
    },
    standingOf: (organizationId) => standingIn(all.get({ id: organizationId }) ?? {}),
  }
}

function standingIn(row: { readonly [name: string]: unknown }): StandingAmounts {
  const { objects, subOrganizations, storedBytes } = row
  return {
    objects: Number(objects),
    subOrganizations: Number(subOrganizations),
    storedBytes: Number(storedBytes),
  }
}

function sum(one: StandingAmounts, other: StandingAmounts): StandingAmounts {
  return {
    objects: one.objects + other.objects,
    subOrganizations: one.subOrganizations + other.subOrganizations,
    storedBytes: one.storedBytes + other.storedBytes,
  }
}
