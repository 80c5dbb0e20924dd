import { type Linked, LinkedList } from './linked-list.ts'

/**
 * A map that evicts the least recently used entries once the total weight exceeds `weightMax`. The order of use is a
 * list beside the map: a map in that order would be searched past all its removed entries for the oldest one.
 */
export class Lru<V> {
  readonly #entries = new Map<string, Entry<V>>()
  readonly #byUse = new LinkedList<Entry<V>>()
  readonly #weightMax: number
  readonly #weigh: (value: V) => number
  #weight = 0

  /** @param weigh  the weight of a value; 1 by default, and then `weightMax` is a number of entries */
  constructor(weightMax: number, weigh: (value: V) => number = () => 1) {
    this.#weightMax = weightMax
    this.#weigh = weigh
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#byUse.moveToEnd(entry)
    return entry.value
  }

  set(key: string, value: V): void {
    this.delete(key)
    const entry = { key, value, previous: undefined, next: undefined }
    this.#entries.set(key, entry)
    this.#byUse.insert(entry)
    this.#weight += this.#weigh(value)
    while (this.#weight > this.#weightMax && this.#byUse.first !== undefined) this.#remove(this.#byUse.first)
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry !== undefined) this.#remove(entry)
  }

  #remove(entry: Entry<V>): void {
    this.#entries.delete(entry.key)
    this.#byUse.remove(entry)
    this.#weight -= this.#weigh(entry.value)
  }
}

interface Entry<V> extends Linked<Entry<V>> {
  readonly key: string
  readonly value: V
}
