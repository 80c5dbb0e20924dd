/**
 * A map that evicts the least recently used entries once the total weight exceeds `weightMax`. Below half of that
 * weight, uses are not recorded: keeping them in order costs more than the look-up, and eviction is still far away.
 */
export class Lru<V> {
  readonly #entries = new Map<string, V>()
  readonly #weightMax: number
  readonly #weigh: (value: V) => number
  #weight = 0

  /** @param weigh  the weight of a value; 1 by default, and then `weightMax` is a number of entries */
  constructor(weightMax: number, weigh: (value: V) => number = () => 1) {
    this.#weightMax = weightMax
    this.#weigh = weigh
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    if (this.#weight > this.#weightMax / 2) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  set(key: string, value: V): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#weight += this.#weigh(value)
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#weightMax) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#weight -= this.#weigh(value)
  }
}
