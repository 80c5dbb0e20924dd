import { Lru } from '../../trusted/base/lru.ts'
import type { Ms } from '../../trusted/base/world.ts'
import type { Failure } from '../../trusted/base/failure.ts'

const DAY_MS: Ms = 24 * 60 * 60 * 1000
const NETWORKS_MAX = 50_000

/** What was counted on one day. */
type Day = { readonly number: number; readonly ofNetworks: Lru<number>; ofAll: number }

/**
 * The number of sign-ups, or of codes, in a day from one network, and from all networks together. Each of them uses
 * quotas of the parent, and strangers request it. So a day begins at midnight UTC, as that of a quota does: what
 * strangers leave of it is the parent's. The count is that of this host alone, since its start.
 */
export class DayBounds {
  readonly #tooMany: () => Failure
  readonly #now: () => Ms
  #today: Day = dayOf(Number.NEGATIVE_INFINITY)

  /** @param tooMany  makes the failure beyond a bound */
  constructor(tooMany: () => Failure, now: () => Ms) {
    this.#tooMany = tooMany
    this.#now = now
  }

  /**
   * Takes one before its outcome is known, so that many at once do not exceed the bound.
   *
   * @returns  a function that gives it back: a sign-up that leaves nothing is not counted, or strangers could block
   *           sign-ups at no cost
   * @throws Failure of `tooMany`
   */
  take(
    network: string,
    {
      perNetwork,
      perDay = Number.POSITIVE_INFINITY,
    }: { readonly perDay?: number; readonly perNetwork: number },
  ): () => void {
    const day = this.#dayNow()
    const count = (more: number): void => {
      day.ofNetworks.set(network, (day.ofNetworks.get(network) ?? 0) + more)
      day.ofAll += more
    }
    if ((day.ofNetworks.get(network) ?? 0) >= perNetwork || day.ofAll >= perDay) throw this.#tooMany()
    count(1)
    return () => count(-1)
  }

  /**
   * A clock that was set back a little begins no day anew. If it was set back by more than a day, it was wrong before,
   * and a day that it named then would not end for as long.
   */
  #dayNow(): Day {
    const number = Math.floor(this.#now() / DAY_MS)
    const { number: last } = this.#today
    if (number > last || number < last - 1) this.#today = dayOf(number)
    return this.#today
  }
}

function dayOf(number: number): Day {
  return { number, ofNetworks: new Lru(NETWORKS_MAX), ofAll: 0 }
}
