import type { World } from '../../trusted/base/world.ts'
import { type Repeated, repeated } from '../outside/repeated.ts'
import type { Timers } from '../outside/timers.ts'
import { countedUses, type OrganizationUses } from '../quotas/counted-organizations.ts'
import { type Fullness, fullnessOf } from '../quotas/fullness.ts'
import { QUOTAS, type QuotaName } from '../store/quotas/quota.ts'
import type { Store } from '../store/store.ts'
import { metric } from './metric.ts'

/** The time from the end of one scan to the next. */
const LOOK_MS = 5 * 60_000

/** The pause after each page, as a multiple of its reading time: a scan takes at most a fifth of any resource. */
const REST_FACTOR = 4

export type QuotaWatch = Pick<Repeated, 'stop'> & {
  /** The result of the last scan, in the text format of Prometheus (version 0.0.4); empty before its end. */
  readonly text: () => string
}

/**
 * Counts the organizations at or near a quota from time to time. A scrape of the metrics reads nothing itself: with a
 * quota for all of a million organizations it would read a million rows.
 */
export function startWatchingQuotas(parts: {
  readonly store: Pick<Store, 'scan' | 'quotas'>
  readonly world: Pick<World, 'now' | 'elapsed'>
  readonly timers: Timers
  readonly onTrouble: (error: unknown) => void
}): QuotaWatch {
  const { store, world } = parts
  let found: Found | undefined
  let look: Look | undefined

  const { stop } = repeated(parts, { firstMs: 0, everyMs: LOOK_MS }, async (again) => {
    const from = world.elapsed()
    const current = look ?? {
      counting: noneFound(),
      pages: countedUses(store, world.now())[Symbol.asyncIterator](),
    }
    // One that fails begins anew.
    look = undefined
    const { value, done } = await current.pages.next()
    if (done === true) {
      found = current.counting
      return
    }
    count(current.counting, value)
    look = current
    again((world.elapsed() - from) * REST_FACTOR)
  })
  return {
    text: () => (found === undefined ? '' : quotaMetrics(found)),
    stop,
  }
}

type Look = { readonly counting: Found; readonly pages: AsyncIterator<readonly OrganizationUses[]> }

type Found = Map<QuotaName, Record<Fullness, number>>

export function noneFound(): Found {
  return new Map(QUOTAS.map((quota) => [quota, { full: 0, 'nearly full': 0 }]))
}

function count(found: Found, page: readonly OrganizationUses[]): void {
  for (const use of page.flatMap(({ uses }) => uses)) {
    const fullness = fullnessOf(use)
    const counts = found.get(use.quota)
    if (fullness !== undefined && counts !== undefined) counts[fullness] += 1
  }
}

export function quotaMetrics(found: Found): string {
  return [
    metric(
      'quota_organizations',
      'gauge',
      'Organizations that have used up a quota (`full`), or 80 percent of it (`nearly_full`), by quota; updated every 5 minutes.',
      [...found].flatMap(([quota, counts]) => [
        `{quota="${quota}",state="full"} ${counts.full}`,
        `{quota="${quota}",state="nearly_full"} ${counts['nearly full']}`,
      ]),
    ),
  ].join('')
}
