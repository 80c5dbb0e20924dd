import { Lru } from './lru.ts'

/** The place of an item in its flow: behind all others, behind those that were begun, or before these. */
export type Place = 'new' | 'begins' | 'goes on'

/** The waiting items of a flow, and the cost that the flow has been served so far. */
type Flow<T> = { readonly fresh: T[]; readonly begun: T[]; wasFresh: boolean; served: number }

const IDLE_REMEMBERED_MAX = 10_000

/**
 * A fair queue: a flow with many items does not delay the items of other flows. Each item belongs to a flow, for
 * example a tenant; the next item is from the flow that has been served least. An idle flow saves up no credit: it
 * joins as if it had been served as much as the flow that is served now. Of many idle flows, the least recently used
 * one is forgotten.
 *
 * Within a flow, new items come in their order. Items that were begun come one after the other: each is finished before
 * the next one goes on. If both kinds wait, they alternate.
 *
 * @see Goyal, Vin, Cheng: Start-time Fair Queueing (SIGCOMM 1996)
 */
export class FairQueue<T> {
  readonly #waiting = new Map<string, Flow<T>>()
  /** The service that each flow without waiting items has received. */
  #idle = new Lru<number>(IDLE_REMEMBERED_MAX)
  #now = 0

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** Whether an item of this flow would come before all that wait, those of the flow itself included. */
  wouldBeNext(name: string): boolean {
    if (this.#waiting.has(name)) return false
    const served = this.#servedBefore(name)
    for (const flow of this.#waiting.values()) if (flow.served <= served) return false
    return true
  }

  push(name: string, item: T, place: Place = 'new'): void {
    let flow = this.#waiting.get(name)
    if (flow === undefined) {
      flow = { fresh: [], begun: [], wasFresh: false, served: this.#servedBefore(name) }
      this.#waiting.set(name, flow)
    }
    if (place === 'new') flow.fresh.push(item)
    else if (place === 'begins') flow.begun.push(item)
    else flow.begun.unshift(item)
  }

  /** The first item of the flow that has been served least; undefined when the queue is empty. */
  peek(): T | undefined {
    const next = this.#next()
    return next && turnIn(next[1])[0]
  }

  /** Removes and returns the item that `peek` shows. */
  shift(): T | undefined {
    const next = this.#next()
    if (next === undefined) return undefined
    const [name, flow] = next
    const turn = turnIn(flow)
    const item = turn.shift()
    flow.wasFresh = turn === flow.fresh
    this.#now = Math.max(this.#now, flow.served)
    if (flow.fresh.length + flow.begun.length === 0) {
      this.#waiting.delete(name)
      this.#idle.set(name, flow.served)
    }
    return item
  }

  /** Adds a cost to a flow; a negative cost corrects an earlier charge that was too high. */
  charge(name: string, cost: number): void {
    const flow = this.#waiting.get(name)
    if (flow !== undefined) flow.served += cost
    else this.#idle.set(name, this.#servedBefore(name) + cost)
  }

  /**
   * Resets all flows to zero. Call it when the queue is empty and no item is being served. Service that a flow received
   * without competition must not count against it: otherwise a tenant that was busy all day would wait for one that
   * arrives now.
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

/** The items of a flow whose first one is next. */
function turnIn<T>({ fresh, begun, wasFresh }: Flow<T>): T[] {
  return begun.length > 0 && (wasFresh || fresh.length === 0) ? begun : fresh
}
