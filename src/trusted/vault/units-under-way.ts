/** A unit that decides something is with the host still: what became of it has to be known first. */
export class UnderWay extends Error {
  override readonly name = 'UnderWay'
  readonly ticket: number

  constructor(ticket: number) {
    super(`unit ${ticket} is under way`)
    this.ticket = ticket
  }
}

/** A host tells of every unit, and has far fewer at once. One that never tells has the oldest taken for `unknown`. */
const UNITS_MAX = 100_000

/** The units that the host has and has not told of, and what each will have changed when it is committed. */
export class HandedOut<Effects extends { readonly writes: readonly string[] }> {
  readonly #unitsMax: number
  readonly #effects = new Map<number, Effects>()
  readonly #writers = new Map<string, number>()
  #next = 1

  constructor(unitsMax: number = UNITS_MAX) {
    this.#unitsMax = unitsMax
  }

  /**
   * @param mayFollow  whether the new one rests on what the writer of something will leave, and is written after it or not at all
   * @throws           UnderWay when another one writes something that this one would write
   */
  add(effects: Effects, mayFollow: (written: string, writer: Effects) => boolean = () => false): number {
    for (const written of effects.writes) {
      const writer = this.#writers.get(written)
      const before = writer === undefined ? undefined : this.#effects.get(writer)
      if (writer !== undefined && before !== undefined && !mayFollow(written, before))
        throw new UnderWay(writer)
    }
    const ticket = this.#next++
    for (const written of effects.writes) this.#writers.set(written, ticket)
    this.#effects.set(ticket, effects)
    if (this.#effects.size > this.#unitsMax) this.#forgetOldest()
    return ticket
  }

  #forgetOldest(): void {
    const [oldest] = this.#effects.keys()
    if (oldest !== undefined) this.take(oldest)
  }

  /** What the last unit under way that writes something will have changed. */
  writerOf(written: string): Effects | undefined {
    const writer = this.#writers.get(written)
    return writer === undefined ? undefined : this.#effects.get(writer)
  }

  /** The host is told of it no more. Undefined for a ticket that there is not, or that was told of before. */
  take(ticket: number): Effects | undefined {
    const effects = this.#effects.get(ticket)
    if (effects === undefined) return undefined
    this.#effects.delete(ticket)
    for (const written of effects.writes)
      if (this.#writers.get(written) === ticket) this.#writers.delete(written)
    return effects
  }
}
