import type { CommitResult, Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import type { SettledUnits, TicketedUnit, Vault } from '../../protocol/vault.ts'

/** The units that this host is committing. The vault is told what became of each before it decides anything further. */
export class Commits {
  readonly #store: Pick<Store, 'commit'>
  readonly #vault: Pick<Vault, 'settled'>
  readonly #underWay = new Map<number, Promise<unknown>>()

  constructor({
    store,
    vault,
  }: { readonly store: Pick<Store, 'commit'>; readonly vault: Pick<Vault, 'settled'> }) {
    this.#store = store
    this.#vault = vault
  }

  async commit({ unit, ticket }: TicketedUnit): Promise<CommitResult> {
    const outcome = this.#settled(ticket, this.#store.commit(unit))
    this.#underWay.set(ticket, outcome)
    try {
      return await outcome
    } finally {
      this.#underWay.delete(ticket)
    }
  }

  /** Resolves when a unit has been settled, however it was: its own caller is told how. */
  async ended(ticket: number): Promise<void> {
    await Promise.allSettled([this.#underWay.get(ticket)])
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
