/**
 * What is in flight, each item under a number of its own. An item that is taken out is let go at once: a `Map` alone
 * would keep it in the tables that it has outgrown, for as long as the garbage collector takes these for alive. Where
 * one of them has become old, that is until the next full collection, for all requests since.
 */
export class InFlight<V> {
  readonly #places = new Map<number, { item: V | undefined }>()

  get size(): number {
    return this.#places.size
  }

  get(number: number): V | undefined {
    return this.#places.get(number)?.item
  }

  put(number: number, item: V): void {
    this.#places.set(number, { item })
  }

  /** Takes the item out. */
  take(number: number): V | undefined {
    const place = this.#places.get(number)
    if (place === undefined) return undefined
    this.#places.delete(number)
    const { item } = place
    place.item = undefined
    return item
  }

  numbers(): Iterable<number> {
    return this.#places.keys()
  }
}
