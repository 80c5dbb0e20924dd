import type { Ms } from '../../trusted/base/world.ts'
import type { Timers } from '../outside/timers.ts'

export type ConcurrencyLimits = {
  /** The number of simultaneous attempts. */
  readonly total: number
  /** To one destination. */
  readonly perPlace: number
  /** To all destinations together whose last attempt took long; the rest stays free for the others. */
  readonly slow: number
  /** The longest wait for a destination. */
  readonly patienceMs: number
}

/** Lets attempts wait in order until there is room, and each only for its own destination. */
export type ConcurrencyLimiter = {
  /** Runs the work when there is room; undefined if there was none in time, or if the limiter was closed before. */
  readonly enter: <Result>(place: string, work: () => Promise<Result>) => Promise<Result | undefined>
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
  const byPlace = new Map<string, number>()
  const slowPlaces = new Set<string>()
  let total = 0
  let slow = 0
  let isClosed = false

  const hasRoom = (place: string): boolean =>
    total < limits.total &&
    (byPlace.get(place) ?? 0) < limits.perPlace &&
    (slow < limits.slow || !slowPlaces.has(place))

  const work = async <Result>(place: string, run: () => Promise<Result>): Promise<Result> => {
    const isSlow = slowPlaces.has(place)
    const startedAt = now()
    total++
    byPlace.set(place, (byPlace.get(place) ?? 0) + 1)
    if (isSlow) slow++
    try {
      return await run()
    } finally {
      total--
      const left = (byPlace.get(place) ?? 1) - 1
      if (left === 0) byPlace.delete(place)
      else byPlace.set(place, left)
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
    for (const waiter of waiting) {
      if (total >= limits.total) return
      if (hasRoom(waiter.place)) waiter.leave('come in')
    }
  }
  return {
    enter: async (place, run) => {
      if (isClosed) return undefined
      if (hasRoom(place)) return await work(place, run)
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const waiter: Waiter = {
        place,
        leave: (why) => {
          waiting.delete(waiter)
          forget()
          // An attempt takes its room at once, before the next one is examined.
          resolve(why === 'come in' ? work(place, run) : undefined)
        },
      }
      const forget = timers.after(limits.patienceMs, () => waiter.leave('no room'))
      waiting.add(waiter)
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

type Waiter = { readonly place: string; readonly leave: (why: 'come in' | 'no room') => void }
