import { Lru } from '../../trusted/base/lru.ts'
import type { Ms, World } from '../../trusted/base/world.ts'

/** So many per period; all of a bucket may be used at once, and it fills up again evenly. */
export type Rate = { readonly amount: number; readonly periodMs: Ms; readonly burst: number }

const BUCKETS_MAX = 50_000
const DEBT_BUCKETS_MAX = 10

/**
 * One bucket for each key. When there are too many, the least recently used bucket is evicted, and counts as full
 * again.
 */
export class TokenBuckets {
  readonly #buckets = new Lru<Bucket>(BUCKETS_MAX)
  readonly #rate: Rate
  readonly #elapsed: World['elapsed']

  /** Setting the clock of the machine neither fills a bucket nor keeps one empty. */
  constructor(rate: Rate, { elapsed }: Pick<World, 'elapsed'>) {
    this.#rate = rate
    this.#elapsed = elapsed
  }

  /** Whether there is one left. Asking leaves no trace, so that strangers cannot fill the memory by it. */
  has(key: string): boolean {
    const bucket = this.#buckets.get(key)
    return bucket === undefined || this.#levelOf(bucket) >= 1
  }

  /**
   * Takes tokens, even where too few are left: the next request must then wait longer, but never for more than ten full
   * buckets.
   */
  take(key: string, amount = 1): void {
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) {
      this.#buckets.set(key, { level: this.#levelAfter(this.#rate.burst, amount), at: this.#elapsed() })
      return
    }
    bucket.level = this.#levelAfter(this.#levelOf(bucket), amount)
    bucket.at = this.#elapsed()
  }

  /** Gives back a token that was not used. */
  give(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return
    bucket.level = Math.min(this.#rate.burst, this.#levelOf(bucket) + 1)
    bucket.at = this.#elapsed()
  }

  #levelAfter(level: number, taken: number): number {
    return Math.max(level - taken, -this.#rate.burst * DEBT_BUCKETS_MAX)
  }

  #levelOf({ level, at }: Bucket): number {
    const { amount, periodMs, burst } = this.#rate
    return Math.min(burst, level + ((this.#elapsed() - at) * amount) / periodMs)
  }
}

type Bucket = { level: number; at: Ms }
