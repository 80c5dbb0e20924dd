import { InFlight } from '../../base/in-flight.ts'

/** A unit on which the decision depends is still being committed; its outcome must be known first. */
export class UnderWay extends Error {
  override readonly name = 'UnderWay'
  readonly ticket: number

  constructor(ticket: number) {
    super(`unit ${ticket} is under way`)
    this.ticket = ticket
  }
}

/**
 * A host reports every unit, and has far fewer at once. For a host that never reports, the oldest units count as
 * `unknown`.
 */
export const HANDED_OUT_MAX = 100_000

/** The units whose outcome the host has not reported yet, with the changes of each. */
export class HandedOut<Effects extends { readonly writes: readonly string[] }> {
  readonly #unitsMax: number
  readonly #effects = new InFlight<Effects>()
  /** Of each object the units that write it, each of which follows the one before. */
  readonly #writers = new Map<string, number[]>()
  #next = 1

  constructor(unitsMax: number = HANDED_OUT_MAX) {
    this.#unitsMax = unitsMax
  }

  /**
   * @param mayFollow  whether the new unit depends on the writer's result, and is written after it or not at all
   * @throws           UnderWay when another unit writes an object that this one would write
   */
  add(effects: Effects, mayFollow: (written: string, writer: Effects) => boolean = () => false): number {
    for (const written of effects.writes) {
      const writer = this.#lastWriterOf(written)
      const before = writer === undefined ? undefined : this.#effects.get(writer)
      if (writer !== undefined && before !== undefined && !mayFollow(written, before))
        throw new UnderWay(writer)
    }
    const ticket = this.#next++
    for (const written of effects.writes) {
      const writers = this.#writers.get(written)
      if (writers === undefined) this.#writers.set(written, [ticket])
      else writers.push(ticket)
    }
    this.#effects.put(ticket, effects)
    if (this.#effects.size > this.#unitsMax) this.#forgetOldest()
    return ticket
  }

  #forgetOldest(): void {
    const [oldest] = this.#effects.numbers()
    if (oldest !== undefined) this.take(oldest)
  }

  /** The changes of the last unit under way that writes an object. */
  writerOf(written: string): Effects | undefined {
    const writer = this.#lastWriterOf(written)
    return writer === undefined ? undefined : this.#effects.get(writer)
  }

  #lastWriterOf(written: string): number | undefined {
    return this.#writers.get(written)?.at(-1)
  }

  /** Removes a unit. Undefined for an unknown ticket, or one that was reported before. */
  take(ticket: number): Effects | undefined {
    const effects = this.#effects.take(ticket)
    if (effects === undefined) return undefined
    for (const written of effects.writes) this.#writesNoMore(written, ticket)
    return effects
  }

  #writesNoMore(written: string, ticket: number): void {
    const writers = this.#writers.get(written)
    if (writers === undefined) return
    writers.splice(writers.indexOf(ticket), 1)
    if (writers.length === 0) this.#writers.delete(written)
  }
}
