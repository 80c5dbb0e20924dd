import type { Ms } from '../../trusted/base/world.ts'
import { TokenBuckets } from '../http/token-buckets.ts'
import { tooManySignUps } from './failures.ts'

const DAY_MS: Ms = 24 * 60 * 60 * 1000

/**
 * The number of sign-ups in a day from one network, and, if the operator sets it, from all networks together. Each
 * sign-up uses quotas of the parent, and strangers request it. The count is that of this host alone, since its start.
 */
export class SignUpBounds {
  readonly #ofNetworks: TokenBuckets
  readonly #ofAll: TokenBuckets | undefined

  constructor(
    { perDay, perNetwork }: { readonly perDay?: number; readonly perNetwork: number },
    now: () => Ms,
  ) {
    this.#ofNetworks = new TokenBuckets(aDay(perNetwork), now)
    this.#ofAll = perDay === undefined ? undefined : new TokenBuckets(aDay(perDay), now)
  }

  /**
   * Takes one sign-up before its outcome is known, so that many at once do not exceed the bound.
   *
   * @returns  a function that gives it back: a sign-up that leaves nothing is not counted, or strangers could block
   *           sign-ups at no cost
   * @throws Failure `tooManySignUps`
   */
  take(network: string): () => void {
    const isFree = this.#ofNetworks.has(network) && this.#ofAll?.has(ALL) !== false
    if (!isFree) throw tooManySignUps()
    this.#ofNetworks.take(network)
    this.#ofAll?.take(ALL)
    return () => {
      this.#ofNetworks.give(network)
      this.#ofAll?.give(ALL)
    }
  }
}

const ALL = ''

/** The sign-ups may come at once or one after the other; used ones return evenly over the day. */
function aDay(amount: number) {
  return { amount, periodMs: DAY_MS, burst: amount }
}
