import { realTimers, type Timers } from '../outside/timers.ts'
import type { ChargedUnit } from '../store/quotas/quota.ts'
import type { CommitResult, Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import type { SettledUnits, TicketedUnit, Vault } from '../../protocol/vault.ts'

/** How long a commit of another host is left alone before it is asked again whether it has ended. */
const ELSEWHERE_MS = 10

/** The units that this host is committing. The vault is told what became of each before it decides anything further. */
export class Commits {
  readonly #store: Pick<Store, 'commit'>
  readonly #vault: Pick<Vault, 'settled'>
  readonly #timers: Timers
  readonly #underWay = new Map<number, Promise<unknown>>()

  constructor({
    store,
    vault,
    timers = realTimers,
  }: {
    readonly store: Pick<Store, 'commit'>
    readonly vault: Pick<Vault, 'settled'>
    /** Those of the machine unless given. */
    readonly timers?: Timers
  }) {
    this.#store = store
    this.#vault = vault
    this.#timers = timers
  }

  async commit({
    unit,
    ticket,
  }: Pick<TicketedUnit, 'ticket'> & { readonly unit: ChargedUnit }): Promise<CommitResult> {
    const outcome = this.#settled(ticket, this.#store.commit(unit))
    this.#underWay.set(ticket, outcome)
    try {
      return await outcome
    } finally {
      this.#underWay.delete(ticket)
    }
  }

  /**
   * Resolves when a unit has been settled, however it was: its own caller is told how. When that of another host has ended, this one
   * does not hear.
   */
  async ended(ticket: number | undefined): Promise<void> {
    if (ticket !== undefined) await Promise.allSettled([this.#underWay.get(ticket)])
    else await new Promise<void>((resolve) => this.#timers.after(ELSEWHERE_MS, resolve))
  }

  async #settled(ticket: number, commit: Promise<CommitResult>): Promise<CommitResult> {
    try {
      const outcome = await commit
      this.#tell(outcome.kind === 'committed' ? 'committed' : 'dropped', ticket)
      return outcome
    } catch (error) {
      this.#tell(error instanceof StoreError && error.kind === 'closed' ? 'dropped' : 'unknown', ticket)
      throw error
    }
  }

  #tell(how: keyof SettledUnits, ticket: number): void {
    this.#vault.settled({ committed: [], dropped: [], unknown: [], [how]: [ticket] })
  }
}
