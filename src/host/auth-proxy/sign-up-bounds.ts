import type { Ms } from '../../trusted/base/world.ts'
import { TokenBuckets } from '../http/token-buckets.ts'
import { tooManySignUps } from './failures.ts'

const DAY_MS: Ms = 24 * 60 * 60 * 1000

/**
 * How many may sign up in a day: from one network, and from all together where the operator says so. Each sign-up uses
 * up quotas of the parent, and strangers ask for it. This host alone counts, from its start on.
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
   * Takes one before it is known whether the sign-up succeeds, so that many at once are not too many.
   *
   * @returns  gives it back: what fails uses nothing up, or strangers could keep everybody out for nothing
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

/** All at once, or one after the other; what was used comes back evenly. */
function aDay(amount: number) {
  return { amount, periodMs: DAY_MS, burst: amount }
}
