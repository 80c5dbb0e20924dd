import type { World } from '../../trusted/base/world.ts'
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

type QuotaWatch = {
  /** The result of the last scan, in the text format of Prometheus (version 0.0.4); empty before its end. */
  readonly text: () => string
  readonly stop: () => Promise<void>
}

/**
 * Counts the organizations at or near a quota from time to time. A scrape of the metrics reads nothing itself: with a
 * quota for all of a million organizations it would read a million rows.
 */
export function startWatchingQuotas({
  store,
  world,
  timers,
  onTrouble,
}: {
  readonly store: Pick<Store, 'scan' | 'quotas'>
  readonly world: Pick<World, 'now' | 'elapsed'>
  readonly timers: Timers
  readonly onTrouble: (error: unknown) => void
}): QuotaWatch {
  let isStopped = false
  let cancel = (): void => {}
  let underWay = Promise.resolve()
  let found: Found | undefined
  let look: Look | undefined

  const step = async (): Promise<void> => {
    const from = world.elapsed()
    let restMs = LOOK_MS
    try {
      look ??= { counting: noneFound(), pages: countedUses(store, world.now())[Symbol.asyncIterator]() }
      const { value, done } = await look.pages.next()
      if (done === true) {
        found = look.counting
        look = undefined
      } else {
        count(look.counting, value)
        restMs = (world.elapsed() - from) * REST_FACTOR
      }
    } catch (error) {
      look = undefined
      onTrouble(error)
    }
    if (!isStopped) later(restMs)
  }
  const later = (ms: number): void => {
    cancel = timers.after(ms, () => {
      underWay = step()
    })
  }
  later(0)
  return {
    text: () => (found === undefined ? '' : quotaMetrics(found)),
    stop: async () => {
      isStopped = true
      cancel()
      await underWay
    },
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
    ...metric(
      'quota_organizations',
      'gauge',
      'Organizations that have used up a quota (`full`), or 80 percent of it (`nearly_full`), by quota; updated every 5 minutes.',
      [...found].flatMap(([quota, counts]) => [
        `{quota="${quota}",state="full"} ${counts.full}`,
        `{quota="${quota}",state="nearly_full"} ${counts['nearly full']}`,
      ]),
    ),
    '',
  ].join('\n')
}
