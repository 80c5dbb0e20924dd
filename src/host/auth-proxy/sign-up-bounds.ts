import { Lru } from '../../trusted/base/lru.ts'
import type { Ms } from '../../trusted/base/world.ts'
import { tooManySignUps } from './failures.ts'

const DAY_MS: Ms = 24 * 60 * 60 * 1000
const NETWORKS_MAX = 50_000

/** The sign-ups of one day. */
type Day = { readonly number: number; readonly ofNetworks: Lru<number>; ofAll: number }

/**
 * The number of sign-ups in a day from one network, and, if the operator sets it, from all networks together. Each
 * sign-up uses quotas of the parent, and strangers request it. So a day begins at midnight UTC, as that of a quota
 * does: what the sign-ups leave of it is the parent's. The count is that of this host alone, since its start.
 */
export class SignUpBounds {
  readonly #perNetwork: number
  readonly #perDay: number
  readonly #now: () => Ms
  #today: Day = dayOf(Number.NEGATIVE_INFINITY)

  constructor(
    {
      perNetwork,
      perDay = Number.POSITIVE_INFINITY,
    }: { readonly perDay?: number; readonly perNetwork: number },
    now: () => Ms,
  ) {
    this.#perNetwork = perNetwork
    this.#perDay = perDay
    this.#now = now
  }

  /**
   * Takes one sign-up before its outcome is known, so that many at once do not exceed the bound.
   *
   * @returns  a function that gives it back: a sign-up that leaves nothing is not counted, or strangers could block
   *           sign-ups at no cost
   * @throws Failure `tooManySignUps`
   */
  take(network: string): () => void {
    const day = this.#dayNow()
    const count = (more: number): void => {
      day.ofNetworks.set(network, (day.ofNetworks.get(network) ?? 0) + more)
      day.ofAll += more
    }
    if ((day.ofNetworks.get(network) ?? 0) >= this.#perNetwork || day.ofAll >= this.#perDay)
      throw tooManySignUps()
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
