import type { Ms } from '../../trusted/base/world.ts'
import { Counts } from '../outside/counts.ts'
import type { Timers } from '../outside/timers.ts'

export type ConcurrencyLimits = {
  /** The number of simultaneous attempts. */
  readonly total: number
  /** To one destination. */
  readonly perPlace: number
  /** For one tenant. */
  readonly perTenant: number
  /** To all destinations together whose last attempt took long; the rest stays free for the others. */
  readonly slow: number
  /** The longest wait for a destination. */
  readonly patienceMs: number
  /** The number of simultaneous waits: of more, the tenant with the most loses its newest one. */
  readonly waits: number
}

/** The destination of an attempt, the tenant that caused it, and its organization within the tenant. */
type Slot = {
  readonly place: string
  /** Of the destination, where it has fewer than `perPlace`. */
  readonly placeMax?: number
  readonly tenant: string
  readonly organization: string
}

/** With the names of what is counted at the place, made once: hundreds that wait are compared for each free slot. */
type CountedSlot = Slot & { readonly tenantAtPlace: string; readonly organizationAtPlace: string }

/**
 * Lets attempts wait until there is room, and each only for its own destination and its own tenant. Next is the tenant
 * with the fewest attempts at its destination, then that with the fewest attempts at all, then its organization with
 * the fewest attempts at the destination, then the first to arrive.
 */
export type ConcurrencyLimiter = {
  /** Runs the work when there is room; undefined if there was none in time, or if the limiter was closed before. */
  readonly enter: <Result>(slot: Slot, work: () => Promise<Result>) => Promise<Result | undefined>
  /** Ends all waits, now and from now on. */
  readonly close: () => void
  readonly isClosed: () => boolean
}

const SLOW_MS = 2_000
const SLOW_PLACES_MAX = 10_000

export function concurrencyLimiter(
  limits: ConcurrencyLimits,
  now: () => Ms,
  timers: Timers,
): ConcurrencyLimiter {
  const waiting = new Set<Waiter>()
  const byPlace = new Counts()
  const byTenant = new Counts()
  const byTenantAtPlace = new Counts()
  const byOrganizationAtPlace = new Counts()
  const slowPlaces = new Set<string>()
  let total = 0
  let slow = 0
  let isClosed = false

  const hasRoom = ({ place, placeMax = limits.perPlace, tenant }: Slot): boolean =>
    total < limits.total &&
    byPlace.of(place) < Math.min(placeMax, limits.perPlace) &&
    byTenant.of(tenant) < limits.perTenant &&
    (slow < limits.slow || !slowPlaces.has(place))

  const count = ({ place, tenant, ...at }: CountedSlot, by: 1 | -1): void => {
    total += by
    byPlace.add(place, by)
    byTenant.add(tenant, by)
    byTenantAtPlace.add(at.tenantAtPlace, by)
    byOrganizationAtPlace.add(at.organizationAtPlace, by)
  }
  const work = async <Result>(slot: CountedSlot, run: () => Promise<Result>): Promise<Result> => {
    const { place } = slot
    const isSlow = slowPlaces.has(place)
    const startedAt = now()
    count(slot, 1)
    if (isSlow) slow++
    try {
      return await run()
    } finally {
      count(slot, -1)
      if (isSlow) slow--
      remember(place, now() - startedAt >= SLOW_MS)
      admit()
    }
  }
  const remember = (place: string, isSlow: boolean): void => {
    slowPlaces.delete(place)
    if (!isSlow) return
    if (slowPlaces.size >= SLOW_PLACES_MAX) slowPlaces.clear()
    slowPlaces.add(place)
  }
  const admit = (): void => {
    for (;;) {
      const next = fairest()
      if (next === undefined) return
      next.leave('come in')
    }
  }
  // Where there is room, each of these numbers is less than `limits.total`.
  const busyOf = ({ tenant, tenantAtPlace, organizationAtPlace }: CountedSlot): number =>
    (byTenantAtPlace.of(tenantAtPlace) * limits.total + byTenant.of(tenant)) * limits.total +
    byOrganizationAtPlace.of(organizationAtPlace)
  const fairest = (): Waiter | undefined => {
    let next: { readonly waiter: Waiter; readonly busy: number } | undefined
    for (const waiter of waiting) {
      if (!hasRoom(waiter.slot)) continue
      const busy = busyOf(waiter.slot)
      if (next === undefined || busy < next.busy) next = { waiter, busy }
    }
    return next?.waiter
  }
  return {
    enter: async (asked, run) => {
      if (isClosed) return undefined
      const slot = counted(asked)
      if (hasRoom(slot)) return await work(slot, run)
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const waiter: Waiter = {
        slot,
        leave: (why) => {
          waiting.delete(waiter)
          forget()
          // An attempt takes its room at once, before the next one is examined.
          resolve(why === 'come in' ? work(slot, run) : undefined)
        },
      }
      const forget = timers.after(limits.patienceMs, () => waiter.leave('no room'))
      waiting.add(waiter)
      if (waiting.size > limits.waits) newestOfBusiest(waiting)?.leave('no room')
      // Resolves with the result of `run`, or with undefined.
      return (await promise) as Awaited<ReturnType<typeof run>> | undefined
    },
    close: () => {
      isClosed = true
      for (const waiter of waiting) waiter.leave('no room')
    },
    isClosed: () => isClosed,
  }
}

function counted(slot: Slot): CountedSlot {
  const { place, tenant, organization } = slot
  const [tenantAtPlace, organizationAtPlace] = [`${place} ${tenant}`, `${place} ${organization}`]
  return { ...slot, tenantAtPlace, organizationAtPlace }
}

type Waiter = { readonly slot: CountedSlot; readonly leave: (why: 'come in' | 'no room') => void }

/** The newest wait of the tenant with the most of them, and there of the organization with the most of them. */
function newestOfBusiest(waiting: Iterable<Waiter>): Waiter | undefined {
  const ofTenant = largest(Map.groupBy(waiting, ({ slot }) => slot.tenant))
  return largest(Map.groupBy(ofTenant, ({ slot }) => slot.organization)).at(-1)
}

function largest(groups: ReadonlyMap<string, readonly Waiter[]>): readonly Waiter[] {
  let most: readonly Waiter[] = []
  for (const waits of groups.values()) if (waits.length > most.length) most = waits
  return most
}
