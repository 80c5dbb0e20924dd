import { Lru } from '../../base/lru.ts'
import type { CompiledPolicy } from '../../policy/compile-policy.ts'

/** As many characters as a part of a compiled expression weighs: it takes some hundred bytes. */
const WEIGHT_OF_PART = 16
const LARGE_MIN = 1024 * 1024
const SMALL_MAX = 8 * 1024 * 1024
/** Room for one with the most parts that can be written. */
const LARGE_MAX = 18 * 1024 * 1024

/** The weight of a compiled charter, in characters of its text. */
export function weightOf(body: string, policies: readonly CompiledPolicy[]): number {
  const parts = policies
    .flatMap(({ condition, consensus, time }) => [condition, consensus, time])
    .reduce((sum, expression) => sum + (expression?.parts ?? 0), 0)
  return Math.max(body.length, parts * WEIGHT_OF_PART)
}

type Weighed = { readonly weight: number }

/** Compiled charters, by organization. Large ones take their room from one another, and from no small one. */
export class KnownCharters<V extends Weighed> {
  readonly #small = new Lru<V>(SMALL_MAX, ({ weight }) => weight)
  readonly #large = new Lru<V>(LARGE_MAX, ({ weight }) => weight)

  get(organizationId: string): V | undefined {
    return this.#small.get(organizationId) ?? this.#large.get(organizationId)
  }

  set(organizationId: string, known: V): void {
    const [own, other] = known.weight < LARGE_MIN ? [this.#small, this.#large] : [this.#large, this.#small]
    other.delete(organizationId)
    own.set(organizationId, known)
  }
}
