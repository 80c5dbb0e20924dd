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

/** `of`: the day that was counted, or from which version of the settings on. A count of anything else is none. */
type Count = { readonly used: number; readonly of: string }

/** What one organization has used, as its row has it. */
export type Counts = { readonly [Name in QuotaName]?: Count }

/** Where the rows of the counts stand: names that no organization holds, one for each of them. */
export const COUNTED = { scope: '@quotas', kind: 'USED' } as const

/** @param text  what `countsText` has made; empty for a row that was just put down */
export function countsFrom(text: string): Counts {
  // Written here and nowhere else; it carries no seal, and whoever writes to the database can write any number.
  return text === '' ? {} : (JSON.parse(text) as Counts)
}

export function countsText(counts: Counts): string {
  return JSON.stringify(counts)
}

/** Whether something stands that was not counted yet, or not from when on its quota says. */
export function needsStanding(counts: Counts, quotas: QuotasOf): boolean {
  return STANDING_QUOTAS.some((name) => {
    const quota = quotas[name]
    return quota !== undefined && counts[name]?.of !== String(quota.since)
  })
}

/**
 * The counts after something was added.
 *
 * @param standing  what stands with it, where `needsStanding` says so
 * @param now       of a request; where there is none, what is counted by the day stays as it is
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
    after[name] = { used: total ?? before + (added[name] ?? 0), of }
  }
  return after
}

/** The first quota of which more would be used than there is; what adds nothing to it, or takes away, exceeds none. */
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

export function usesIn(counts: Counts, quotas: QuotasOf, now: Ms): readonly QuotaUse[] {
  const today = countsAfter(counts, quotas, { added: {}, now })
  return QUOTAS.flatMap((quota) => {
    const most = quotas[quota]?.most
    return most === undefined ? [] : [{ quota, most, used: today[quota]?.used ?? 0 }]
  })
}

const DAY_MS: Ms = 24 * 60 * 60 * 1000

/** When what is counted by the day begins anew. */
export function nextDay(now: Ms): Ms {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS
}

/** Around midnight the clocks of two hosts may be on two days: the day that has begun is not taken back. */
function countedDay(counted: string | undefined, now: Ms | undefined): string {
  if (now === undefined) return counted ?? ''
  const tomorrow = dayText(nextDay(now))
  return counted === tomorrow ? tomorrow : dayText(now)
}

function dayText(at: Ms): string {
  return new Date(at).toISOString().slice(0, '2026-11-23'.length)
}
