/**
 * A map that forgets what was used longest ago once what it holds weighs more than `weightMax`. As long as it is not half full
 * uses are not noted: to keep them in order costs more than the look-up, and nothing is forgotten for long yet.
 */
export class Lru<V> {
  readonly #entries = new Map<string, V>()
  readonly #weightMax: number
  readonly #weigh: (value: V) => number
  #weight = 0

  /** @param weigh  what one value counts for; 1 unless told, and then `weightMax` is a number of entries */
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
