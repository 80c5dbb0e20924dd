import type { Counts } from './counts.ts'
import { type Drift, type QuotasOf, STANDING_QUOTAS, type StandingAmounts } from './quota.ts'

/** The differences between counted and found amounts. An amount that was not counted yet has no drift. */
export function driftsOf(
  organizationId: string,
  counts: Counts,
  quotas: QuotasOf,
  standing: StandingAmounts,
): readonly Drift[] {
  return STANDING_QUOTAS.flatMap((quota) => {
    const since = quotas[quota]?.since
    const count = counts[quota]
    if (since === undefined || count === undefined || count.of !== String(since)) return []
    const found = standing[quota]
    return count.used === found ? [] : [{ organizationId, quota, counted: count.used, found }]
  })
}
