import type { SettledUnits } from '../../protocol/vault.ts'

/**
 * Tickets of several connections, one after the other, so that none is taken for one of another connection: a vault
 * that was started anew counts from one again. Here those of a later connection are above those of the one before.
 */
export class TicketsSince {
  #base = 0
  #highest = 0

  /** Which connection it is, for `shown`. */
  get current(): number {
    return this.#base
  }

  /** From now on it is another connection. */
  begin(): void {
    this.#base = this.#highest
  }

  /** What the vault has answered, with its ticket as this host knows it. */
  shown<T>(answer: T, base: number): T {
    if (typeof answer !== 'object' || answer === null || !('ticket' in answer)) return answer
    const { ticket } = answer
    if (typeof ticket !== 'number') return answer
    const shown = ticket + base
    this.#highest = Math.max(this.#highest, shown)
    return base === 0 ? answer : { ...answer, ticket: shown }
  }

  /** As the vault knows them: those of this connection; undefined where none is. */
  own({ committed, dropped, unknown }: SettledUnits): SettledUnits | undefined {
    const base = this.#base
    const mine = (tickets: readonly number[]): number[] =>
      tickets.filter((ticket) => ticket > base).map((ticket) => ticket - base)
    const own = { committed: mine(committed), dropped: mine(dropped), unknown: mine(unknown) }
    return own.committed.length + own.dropped.length + own.unknown.length === 0 ? undefined : own
  }
}
