import type { Units } from '../../../trusted/base/work.ts'
import type { Ms } from '../../../trusted/base/world.ts'
import type { Unit } from '../../../trusted/catalogue/unit.ts'

/** Counted anew each day, in UTC. */
export const DAILY_QUOTAS = ['requests', 'cost'] as const
/** Counted as they stand. */
export const STANDING_QUOTAS = ['objects', 'subOrganizations', 'storedBytes'] as const
export const QUOTAS = [...DAILY_QUOTAS, ...STANDING_QUOTAS] as const

type DailyQuota = (typeof DAILY_QUOTAS)[number]
type StandingQuota = (typeof STANDING_QUOTAS)[number]
export type QuotaName = (typeof QUOTAS)[number]

/** `since`: the version of the settings from which on it is counted. */
type Quota = { readonly most: number; readonly since: number }

/** The quotas of one organization; of what is absent it has as much as it wants. */
export type QuotasOf = { readonly [Name in QuotaName]?: Quota }

export type Amounts = { readonly [Name in QuotaName]?: number }

/** What of an organization stands in the store. */
export type StandingAmounts = Readonly<Record<StandingQuota, number>>

/** What carrying out a request counts for. */
export type Charge = {
  /** The organization, and its parent where it has one. */
  readonly organizationIds: readonly string[]
  readonly requests: 0 | 1
  readonly cost: Units
  /** Whether a quota that is used up refuses it. */
  readonly isBound: boolean
  readonly now: Ms
}

/** A unit, and what it counts for where it is of a request. */
export type ChargedUnit = Unit & { readonly charge?: Charge }

/** Why a unit was not written: it would take more than is left of this quota. */
export type Exhausted = {
  readonly organizationId: string
  readonly quota: QuotaName
  readonly most: number
}

/** A count that was not what there is, and what it was set to. */
export type Drift = {
  readonly organizationId: string
  readonly quota: StandingQuota
  readonly counted: number
  readonly found: number
}

/** What an organization has used of a quota. */
export type QuotaUse = {
  readonly quota: QuotaName
  readonly most: number
  readonly used: number
}

export function isDaily(name: QuotaName): name is DailyQuota {
  return name === 'requests' || name === 'cost'
}
