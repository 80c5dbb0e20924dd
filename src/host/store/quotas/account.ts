import type { DirectoryEntry, ObjectKey } from '../../../trusted/catalogue/unit.ts'
import {
  type Amounts,
  type Charge,
  type ChargedUnit,
  MESSAGE_QUOTAS,
  type QuotasOf,
  REQUEST_QUOTAS,
  STANDING_QUOTAS,
  type StandingAmounts,
} from './quota.ts'
import { type QuotaSettings, quotasOf } from './settings.ts'

/** The counted rows of a unit, and their organizations in the order of their ids. */
export type Account = {
  readonly organizations: ReadonlyMap<string, QuotasOf>
  /** The counted rows that the unit may change; none if it changes no such row. */
  readonly rows: CountedRows
}

export type CountedRows = {
  readonly objects: readonly ObjectKey[]
  readonly charters: readonly string[]
  /** The entries of sub-organizations under their parent. */
  readonly entries: readonly DirectoryEntry[]
}

/** The amounts of the rows before and after, by organization. */
export type Measured = ReadonlyMap<string, StandingAmounts>

const SUB_ORGANIZATION = 'SUB_ORGANIZATION'

export const NOTHING_STANDS: StandingAmounts = { objects: 0, subOrganizations: 0, storedBytes: 0 }

/** Undefined if no quota applies to the unit, which is nearly always the case. */
export function accountOf(settings: QuotaSettings, unit: ChargedUnit): Account | undefined {
  const { charge } = unit
  if (settings.bySubject.size === 0 && charge?.messages === undefined) return undefined
  const found = new Map<string, QuotasOf>()
  if (charge !== undefined && charge.requests + charge.cost > 0)
    for (const id of charge.organizationIds) note(found, settings, id, REQUEST_QUOTAS)
  const { askedIn, parentId } = charge?.messages ?? {}
  if (askedIn !== undefined) note(found, settings, askedIn, ['messages'])
  if (parentId !== undefined) note(found, settings, parentId, ['subOrganizationMessages'])
  const rows = countedRows(unit)
  for (const id of organizationsOf(rows)) note(found, settings, id, STANDING_QUOTAS)
  if (found.size === 0) return undefined
  return { organizations: new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1))), rows: of(rows, found) }
}

function note(
  found: Map<string, QuotasOf>,
  settings: QuotaSettings,
  organizationId: string,
  names: readonly (keyof QuotasOf)[],
): void {
  const quotas = quotasOf(settings, organizationId)
  if (names.some((name) => quotas[name] !== undefined)) found.set(organizationId, quotas)
}

function countedRows({ objects, charters, directory }: ChargedUnit): CountedRows {
  return {
    // For a removed row it is unknown whether it counts; for an expiring row it is known that it does not.
    objects: [...objects.remove, ...objects.put.filter(({ expiresAt }) => expiresAt === null)],
    charters: charters.map(({ organizationId }) => organizationId),
    entries: [...directory.remove, ...directory.put].filter(({ kind }) => kind === SUB_ORGANIZATION),
  }
}

function organizationsOf({ objects, charters, entries }: CountedRows): ReadonlySet<string> {
  return new Set([
    ...objects.map(({ organizationId }) => organizationId),
    ...charters,
    ...entries.map(({ scope }) => scope),
  ])
}

/** The rows of these organizations, each once. */
function of(rows: CountedRows, organizations: ReadonlyMap<string, unknown>): CountedRows {
  return {
    objects: once(
      rows.objects.filter(({ organizationId }) => organizations.has(organizationId)),
      ({ organizationId, kind, objectId }) => [organizationId, kind, objectId].join('\0'),
    ),
    charters: once(
      rows.charters.filter((id) => organizations.has(id)),
      (id) => id,
    ),
    entries: once(
      rows.entries.filter(({ scope }) => organizations.has(scope)),
      ({ scope, value, target }) => [scope, value, target].join('\0'),
    ),
  }
}

function once<T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [nameOf(item), item])).values()]
}

export function touchesRows({ rows }: Account): boolean {
  return rows.objects.length + rows.charters.length + rows.entries.length > 0
}

/** The amounts that a unit adds for one organization. */
export function addedBy(
  { charge }: ChargedUnit,
  organizationId: string,
  { before, after }: { readonly before: Measured; readonly after: Measured },
): Amounts {
  const was = before.get(organizationId) ?? NOTHING_STANDS
  const is = after.get(organizationId) ?? NOTHING_STANDS
  const isCharged = charge?.organizationIds.includes(organizationId) === true
  const { count = 0, askedIn, parentId } = charge?.messages ?? {}
  return {
    requests: isCharged ? charge.requests : 0,
    cost: isCharged ? charge.cost : 0,
    messages: askedIn === organizationId ? count : 0,
    subOrganizationMessages: parentId === organizationId ? count : 0,
    objects: is.objects - was.objects,
    subOrganizations: is.subOrganizations - was.subOrganizations,
    storedBytes: is.storedBytes - was.storedBytes,
  }
}

/** The added amounts that an exhausted quota refuses. The service's own writes are no requests, and never refused. */
export function boundOf(charge: Charge | undefined, added: Amounts): Amounts {
  if (charge === undefined) return {}
  if (charge.isBound) return added
  return Object.fromEntries(MESSAGE_QUOTAS.map((name) => [name, added[name] ?? 0]))
}
