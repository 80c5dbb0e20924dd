import { Lru } from './lru.ts'

/** What waits of a flow, and how much the flow has been given. */
type Flow<T> = { readonly waiting: T[]; served: number }

const IDLE_REMEMBERED_MAX = 10_000

/**
 * A queue in which nobody is held up by how much somebody else has put in. Each item belongs to a flow, say a tenant; the next
 * one is of the flow that has been given least. A flow that was idle has saved up nothing: it joins as if it had been
 * given as much as the flow that is served now. Of many idle flows the one that was used longest ago is forgotten.
 *
 * @see Goyal, Vin, Cheng: Start-time Fair Queueing (SIGCOMM 1996)
 */
export class FairQueue<T> {
  readonly #waiting = new Map<string, Flow<T>>()
  /** How much flows have been given in which nothing waits. */
  #idle = new Lru<number>(IDLE_REMEMBERED_MAX)
  #now = 0

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  push(name: string, item: T): void {
    const flow = this.#waiting.get(name)
    if (flow !== undefined) flow.waiting.push(item)
    else this.#waiting.set(name, { waiting: [item], served: this.#servedBefore(name) })
  }

  /** The first item of the flow that has been given least; undefined when nothing waits. */
  peek(): T | undefined {
    return this.#next()?.[1].waiting[0]
  }

  /** Takes what `peek` shows. */
  shift(): T | undefined {
    const next = this.#next()
    if (next === undefined) return undefined
    const [name, flow] = next
    const item = flow.waiting.shift()
    this.#now = Math.max(this.#now, flow.served)
    if (flow.waiting.length === 0) {
      this.#waiting.delete(name)
      this.#idle.set(name, flow.served)
    }
    return item
  }

  /** Counts what a flow has been given, or, below zero, what it was charged too much. */
  charge(name: string, cost: number): void {
    const flow = this.#waiting.get(name)
    if (flow !== undefined) flow.served += cost
    else this.#idle.set(name, this.#servedBefore(name) + cost)
  }

  /**
   * To be called when nothing waits and nothing is served: then all begin anew. What a flow was given while there was enough for
   * everybody is not held against it, or a tenant that was busy all day would wait for one that comes now.
   */
  beginAnew(): void {
    this.#idle = new Lru<number>(IDLE_REMEMBERED_MAX)
    this.#now = 0
  }

  #servedBefore(name: string): number {
    return Math.max(this.#idle.get(name) ?? 0, this.#now)
  }

  #next(): readonly [name: string, flow: Flow<T>] | undefined {
    let next: readonly [name: string, flow: Flow<T>] | undefined
    for (const entry of this.#waiting)
      if (next === undefined || entry[1].served < next[1].served) next = entry
    return next
  }
}
