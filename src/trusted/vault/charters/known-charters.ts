import { Lru } from '../../base/lru.ts'
import type { Charter } from '../../charter/charter.ts'
import type { CompiledPolicy } from '../../policy/compile-policy.ts'
import { READ_LATER_MAX } from './read-later.ts'

/** As many characters as a part of a compiled expression weighs: it takes some hundred bytes. */
const WEIGHT_OF_PART = 16
const LARGE_MIN = 1024 * 1024
const SMALL_MAX = 8 * 1024 * 1024
/** Room for one with the most parts that can be written, in condition, consensus and time of each policy. */
const LARGE_MAX = 26 * 1024 * 1024

/** The weight of a compiled charter, in characters of its text. */
export function weightOf(
  body: string,
  { charter, policies }: { readonly charter: Charter; readonly policies: readonly CompiledPolicy[] },
): number {
  const read = policies
    .flatMap(({ condition, consensus, time }) => [condition, consensus, time])
    .reduce((sum, expression) => sum + (expression?.parts ?? 0), 0)
  const texts = charter.users.flatMap(({ apiKeys, mfaPolicies }) => [
    ...apiKeys.map(({ session }) => session?.scope ?? ''),
    ...mfaPolicies.map(({ condition }) => condition),
  ])
  const later = [...new Set(texts)].reduce((sum, { length }) => sum + length, 0)
  return Math.max(body.length, (read + Math.min(later, READ_LATER_MAX)) * WEIGHT_OF_PART)
}

type Weighed = { readonly weight: number }

/**
 * Compiled charters, by organization. Large ones take their room from one another, and from no small one. One that is
 * larger than the room is not kept, and takes the room of none.
 */
export class KnownCharters<V extends Weighed> {
  readonly #small = new Lru<V>(SMALL_MAX, ({ weight }) => weight)
  readonly #large = new Lru<V>(LARGE_MAX, ({ weight }) => weight)

  get(organizationId: string): V | undefined {
    return this.#small.get(organizationId) ?? this.#large.get(organizationId)
  }

  set(organizationId: string, known: V): void {
    const [own, other] = known.weight < LARGE_MIN ? [this.#small, this.#large] : [this.#large, this.#small]
    other.delete(organizationId)
    if (known.weight > LARGE_MAX) own.delete(organizationId)
    else own.set(organizationId, known)
  }
}
