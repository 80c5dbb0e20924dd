import { realTimers, type Timers } from '../outside/timers.ts'
import type { ChargedUnit } from '../store/quotas/quota.ts'
import type { CommitResult, Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import type { SettledUnits, TicketedUnit, Vault } from '../../protocol/vault.ts'
import { Failure } from '../../trusted/base/failure.ts'
import { InFlight } from '../../trusted/base/in-flight.ts'

/**
 * The first and the longest time before the host asks again whether a commit of another host has ended. Each question
 * is a decision, and the other host may stand still.
 */
const ELSEWHERE_MS = 10
const ELSEWHERE_MS_MAX = 100

/** A unit of another host at the same vault, and how often the request has waited for one. */
type Elsewhere = { readonly waited: number }

/** Whether a unit may be written at all. @throws Failure if it may not */
export type Admit = () => Promise<CommitResult | undefined>

/** The units that this host is committing. The vault learns the outcome of each before its next decision. */
export class Commits {
  readonly #store: Pick<Store, 'commit'>
  readonly #vault: Pick<Vault, 'settled'>
  readonly #timers: Timers
  readonly #underWay = new InFlight<Promise<unknown>>()

  constructor({
    store,
    vault,
    timers = realTimers,
  }: {
    readonly store: Pick<Store, 'commit'>
    readonly vault: Pick<Vault, 'settled'>
    readonly timers?: Timers
  }) {
    this.#store = store
    this.#vault = vault
    this.#timers = timers
  }

  /** @param admit  is called before the write; its error, or its answer, becomes the outcome of the unit */
  async commit({
    unit,
    ticket,
    admit,
  }: Pick<TicketedUnit, 'ticket'> & {
    readonly unit: ChargedUnit
    readonly admit?: Admit | undefined
  }): Promise<CommitResult> {
    const written = admit === undefined ? this.#store.commit(unit) : this.#admitted(unit, admit)
    const outcome = this.#settled(ticket, written)
    this.#underWay.put(ticket, outcome)
    try {
      return await outcome
    } finally {
      void this.#underWay.take(ticket)
    }
  }

  /**
   * Resolves when a unit has been settled, with any outcome: only the caller that committed it learns the outcome. This
   * host cannot see the end of another host's commit, so it waits a short time.
   */
  async ended(unit: number | Elsewhere): Promise<void> {
    if (typeof unit === 'number') await Promise.allSettled([this.#underWay.get(unit)])
    else {
      const ms = Math.min(ELSEWHERE_MS + unit.waited, ELSEWHERE_MS_MAX)
      await new Promise<void>((resolve) => this.#timers.after(ms, resolve))
    }
  }

  async #admitted(unit: ChargedUnit, admit: Admit): Promise<CommitResult> {
    return (await admit()) ?? (await this.#store.commit(unit))
  }

  async #settled(ticket: number, commit: Promise<CommitResult>): Promise<CommitResult> {
    try {
      const outcome = await commit
      this.#tell(outcome.kind === 'committed' ? 'committed' : 'dropped', ticket)
      return outcome
    } catch (error) {
      const isUnwritten = error instanceof Failure || (error instanceof StoreError && error.kind === 'closed')
      this.#tell(isUnwritten ? 'dropped' : 'unknown', ticket)
      throw error
    }
  }

  #tell(how: keyof SettledUnits, ticket: number): void {
    this.#vault.settled({ committed: [], dropped: [], unknown: [], [how]: [ticket] })
  }
}
