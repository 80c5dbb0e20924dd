import type { Job, Lease, Store } from '../store/store.ts'
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

type DeliveryParts = Omit<CarryParts, 'store' | 'finish'> & {
  readonly store: CarryParts['store'] & Pick<Store, 'takeJobs' | 'finishJob' | 'sweep' | 'clock'>
  readonly limits?: ConcurrencyLimits
}

/**
 * Longer than a slow vault, the longest wait for room and the longest attempt together, so that no other host sends the
 * same beside it. After a crash an ordering key is idle for the rest of this time.
 */
export const LEASE_MS = 90_000
/** Each hand-out adds a part of a second of its own, see `Lease`. */
export const LEASES = 1_000
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
/**
 * Of a look and of all that follows others until the next one. Together 800 in a second: a burst of due jobs is spread,
 * so that requests are not delayed.
 */
const STARTS_MAX = 8
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
  const onTrouble = (error: unknown): void => {
    if (!isPassing(error)) parts.onBug(error)
  }
  const limiter = concurrencyLimiter(limits, now, timers)
  const sweeping = startSweeping({ store, now, timers, onTrouble })
  const underWay = new Set<Promise<void>>()
  let lastLook = { startsLeft: 0 }
  // Hosts that start at different times count on from different numbers.
  let leases = parts.world.now()
  const lease = (): Lease => ({ now: now(), leaseMs: LEASE_MS + (leases++ % LEASES) })

  // The next of an ordering key that moves on need not wait for a look, unless it would be handed out before others
  // that are due.
  const finish = async (sequence: number): Promise<Job | undefined> => {
    const look = lastLook
    if (look.startsLeft === 0 || limiter.isClosed()) return await store.finishJob(sequence)
    look.startsLeft--
    let next: Job | undefined
    try {
      next = await store.finishJob(sequence, lease())
    } finally {
      if (next === undefined) look.startsLeft++
    }
    return next
  }
  const carrying: CarryParts = { ...parts, finish, world: { ...parts.world, now } }
  const carryOn = async (first: Job): Promise<void> => {
    for (let job: Job | undefined = first; job !== undefined; ) {
      job = await carry(carrying, limiter, job)
      // Without one that follows, the next job of the ordering key is due. With one, others may be due meanwhile.
      looking.wake()
    }
  }
  const take = async (again: (ms: number) => void): Promise<void> => {
    const limit = Math.min(STARTS_MAX, TAKEN_MAX - underWay.size)
    if (limit <= 0) return
    await clock.renew()
    const jobs = await store.takeJobs({ ...lease(), limit })
    for (const job of jobs) {
      const carried = carryOn(job).then(() => void underWay.delete(carried))
      underWay.add(carried)
    }
    const isAll = jobs.length < limit
    lastLook = { startsLeft: isAll ? STARTS_MAX - jobs.length : 0 }
    if (!isAll) again(WAKE_MS)
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
