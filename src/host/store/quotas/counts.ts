import type { Ms } from '../../../trusted/base/world.ts'
import {
  type Amounts,
  type Exhausted,
  isDaily,
  QUOTAS,
  type QuotaName,
  type QuotasOf,
  type QuotaUse,
  STANDING_QUOTAS,
  type StandingAmounts,
} from './quota.ts'

/** `of`: the counted day, or the version of the settings since which amounts are counted. Any other count is void. */
type Count = { readonly used: number; readonly of: string }

/** The use of one organization, as in its row. */
export type Counts = { readonly [Name in QuotaName]?: Count }

/** The names of the rows with counts: no organization can have such a name, and each has its own row. */
export const COUNTED = { scope: '@quotas', kind: 'USED' } as const

/** @param text  a result of `countsText`; empty for a new row */
export function countsFrom(text: string): Counts {
  // Written only here. It carries no seal, so a writer of the database can write any number.
  return text === '' ? {} : (JSON.parse(text) as Counts)
}

export function countsText(counts: Counts): string {
  return JSON.stringify(counts)
}

export function hasStanding(quotas: QuotasOf): boolean {
  return STANDING_QUOTAS.some((name) => quotas[name] !== undefined)
}

/** Whether a standing amount was not counted yet, or not since the version that its quota names. */
export function needsStanding(counts: Counts, quotas: QuotasOf): boolean {
  return STANDING_QUOTAS.some((name) => {
    const quota = quotas[name]
    return quota !== undefined && counts[name]?.of !== String(quota.since)
  })
}

/**
 * The counts after an addition.
 *
 * @param standing  the standing amounts after it, if `needsStanding` asks for them
 * @param now       of a request; without it, daily counts stay unchanged
 */
export function countsAfter(
  counts: Counts,
  quotas: QuotasOf,
  {
    added,
    standing,
    now,
  }: { readonly added: Amounts; readonly standing?: StandingAmounts; readonly now?: Ms | undefined },
): Counts {
  const after: { -readonly [Name in QuotaName]?: Count } = {}
  for (const name of QUOTAS) {
    const quota = quotas[name]
    if (quota === undefined) continue
    const earlier = counts[name]
    const of = isDaily(name) ? countedDay(earlier?.of, now) : String(quota.since)
    const total = isDaily(name) ? undefined : standing?.[name]
    const before = earlier?.of === of ? earlier.used : 0
    const used = total ?? before + (added[name] ?? 0)
    if (quota.since > 0 || used > 0) after[name] = { used, of }
  }
  return after
}

/**
 * The first quota that would be exceeded; an addition of zero, or a removal, exceeds none.
 *
 * @param added  the result of `boundOf`
 */
export function exhaustedIn(
  organizationId: string,
  counts: Counts,
  quotas: QuotasOf,
  added: Amounts,
): Exhausted | undefined {
  for (const quota of QUOTAS) {
    const most = quotas[quota]?.most
    if (most === undefined || (added[quota] ?? 0) <= 0) continue
    if ((counts[quota]?.used ?? 0) > most) return { organizationId, quota, most }
  }
  return undefined
}

/** A quota that nobody has set is shown once some of it is used. */
export function usesIn(counts: Counts, quotas: QuotasOf, now: Ms): readonly QuotaUse[] {
  const today = countsAfter(counts, quotas, { added: {}, now })
  return QUOTAS.flatMap((quota) => {
    const { most, since = 0 } = quotas[quota] ?? {}
    const used = today[quota]?.used ?? 0
    return most === undefined || (since === 0 && used === 0) ? [] : [{ quota, most, used }]
  })
}

const DAY_MS: Ms = 24 * 60 * 60 * 1000

/** The beginning of the next day for daily counts. */
export function nextDay(now: Ms): Ms {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS
}

/** Around midnight the clocks of two hosts may be on two days: a day that has begun is not taken back. */
function countedDay(counted: string | undefined, now: Ms | undefined): string {
  if (now === undefined) return counted ?? ''
  const tomorrow = dayText(nextDay(now))
  return counted === tomorrow ? tomorrow : dayText(now)
}

function dayText(at: Ms): string {
  return new Date(at).toISOString().slice(0, '2026-11-23'.length)
}
