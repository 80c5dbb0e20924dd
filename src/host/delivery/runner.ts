import type { Store } from '../store/store.ts'
import { type CarryParts, carry, isPassing } from './attempt-job.ts'
import { concurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.ts'
import { sharedClock } from './shared-clock.ts'
import { startSweeping } from './sweeping.ts'
import { repeated } from '../outside/repeated.ts'

export type Delivery = {
  /** Says that there may be new jobs. Cheap: called after every commit. */
  readonly wake: () => void
  /**
   * Takes no new jobs, and resolves when the attempts under way have ended. Jobs that only waited for room are put
   * back.
   */
  readonly stop: () => Promise<void>
}

type DeliveryParts = Omit<CarryParts, 'store'> & {
  readonly store: CarryParts['store'] & Pick<Store, 'takeJobs' | 'sweep' | 'clock'>
  readonly limits?: ConcurrencyLimits
}

/**
 * Longer than a slow vault, the longest wait for room and the longest attempt together, so that no other host sends the
 * same beside it. After a crash an ordering key is idle for the rest of this time.
 */
export const LEASE_MS = 90_000
export const LIMITS: ConcurrencyLimits = {
  total: 256,
  perPlace: 8,
  perTenant: 64,
  slow: 128,
  patienceMs: 15_000,
  waits: 512,
}
/**
 * The number of jobs in memory: more than attempts and waits together, so that jobs of other tenants can always be
 * taken.
 */
const TAKEN_MAX = 1_024
/** Commits come in bursts; one look serves all commits of this time. */
const WAKE_MS = 10
/** Together 800 in a second: a burst of due jobs is spread, so that requests are not delayed. */
const TAKEN_AT_ONCE_MAX = 8
/** The interval between looks for jobs that are due by time alone (retries, the leases of other hosts). */
const POLL_MS = 1_000

/**
 * Carries out jobs, each at least once, many ordering keys at once and each ordering key in its order: the store
 * returns only the first job of an ordering key. A slow destination delays only its own jobs and those of its tenant.
 * See docs/decisions/webhooks.md.
 */
export function startDelivery(parts: DeliveryParts): Delivery {
  const { store, timers, limits = LIMITS } = parts
  const clock = sharedClock(store, parts.world)
  const { now } = clock
  const carrying: CarryParts = { ...parts, world: { ...parts.world, now } }
  const onTrouble = (error: unknown): void => {
    if (!isPassing(error)) parts.onBug(error)
  }
  const limiter = concurrencyLimiter(limits, now, timers)
  const sweeping = startSweeping({ store, now, timers, onTrouble })
  const underWay = new Set<Promise<void>>()

  const take = async (again: (ms: number) => void): Promise<void> => {
    const limit = Math.min(TAKEN_AT_ONCE_MAX, TAKEN_MAX - underWay.size)
    if (limit <= 0) return
    await clock.renew()
    const jobs = await store.takeJobs({ now: now(), leaseMs: LEASE_MS, limit })
    for (const job of jobs) {
      const carried = carry(carrying, limiter, job).then(() => {
        underWay.delete(carried)
        // The next job of its ordering key is due.
        looking.wake()
      })
      underWay.add(carried)
    }
    // There may be more due jobs.
    if (jobs.length === limit) again(WAKE_MS)
  }
  const times = { firstMs: 0, everyMs: POLL_MS, soonMs: WAKE_MS }
  const looking = repeated({ timers, onTrouble }, times, take)
  return {
    wake: looking.wake,
    stop: async () => {
      const stopped = Promise.all([looking.stop(), sweeping.stop()])
      limiter.close()
      await stopped
      await Promise.all(underWay)
    },
  }
}
