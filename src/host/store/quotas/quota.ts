import type { Units } from '../../../trusted/base/work.ts'
import type { Ms } from '../../../trusted/base/world.ts'
import type { Unit } from '../../../trusted/catalogue/unit.ts'
import type { Found } from '../found.ts'

/** What a request itself counts as. */
export const REQUEST_QUOTAS = ['requests', 'cost'] as const
/** The mails and text messages that users of an organization ask for, and those of all its sub-organizations. */
export const MESSAGE_QUOTAS = ['messages', 'subOrganizationMessages'] as const
/** Counted from zero each day, in UTC. */
const DAILY_QUOTAS = [...REQUEST_QUOTAS, ...MESSAGE_QUOTAS] as const
/** Counted in their present state. */
export const STANDING_QUOTAS = ['objects', 'subOrganizations', 'storedBytes'] as const
export const QUOTAS = [...DAILY_QUOTAS, ...STANDING_QUOTAS] as const

type DailyQuota = (typeof DAILY_QUOTAS)[number]
type StandingQuota = (typeof STANDING_QUOTAS)[number]
export type QuotaName = (typeof QUOTAS)[number]

/** `since`: the version of the settings since which the amount is counted; 0 for a quota that nobody has set. */
type Quota = { readonly most: number; readonly since: number }

/** The quotas of one organization; an absent quota means no limit. */
export type QuotasOf = { readonly [Name in QuotaName]?: Quota }

export type Amounts = { readonly [Name in QuotaName]?: number }

/** The amounts of an organization that are in the store. */
export type StandingAmounts = Readonly<Record<StandingQuota, number>>

/** The amounts for which a request counts. */
export type Charge = {
  /** The organization, and its parent if it has one. */
  readonly organizationIds: readonly string[]
  readonly requests: 0 | 1
  readonly cost: Units
  /** Whether an exhausted quota refuses it. A quota of messages refuses it in any case. */
  readonly isBound: boolean
  /** Its mails and text messages; absent if it has none, or if they are never refused. */
  readonly messages?: {
    readonly count: number
    /** The organization whose user asked for them, and its parent if it has one. */
    readonly askedIn: string
    readonly parentId?: string | undefined
  }
  readonly now: Ms
}

/**
 * A unit of a request: with its charge, with the lookups that its decision was made on, and with the server that the
 * rows of the decision were read from (`Store.server`).
 */
export type ChargedUnit = Unit & {
  readonly charge?: Charge
  readonly found?: readonly Found[]
  readonly readFrom?: unknown
}

/** The reason why a unit was not written: it would exceed this quota. */
export type Exhausted = {
  readonly organizationId: string
  readonly quota: QuotaName
  readonly most: number
}

/** A count that was wrong, and the found amount that replaced it. */
export type Drift = {
  readonly organizationId: string
  readonly quota: StandingQuota
  readonly counted: number
  readonly found: number
}

/** An organization's use of a quota. */
export type QuotaUse = {
  readonly quota: QuotaName
  readonly most: number
  readonly used: number
}

export function isDaily(name: QuotaName): name is DailyQuota {
  return (DAILY_QUOTAS as readonly QuotaName[]).includes(name)
}
