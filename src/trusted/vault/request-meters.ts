import { mutexes } from '../base/keyed-mutex.ts'
import type { Ms } from '../base/world.ts'
import type { BroughtMeters, MetersNeeded } from '../../protocol/vault.ts'
import type { Judged } from './judged.ts'
import type { VaultContext } from './vault-context.ts'
import type { CountedUse } from './usage.ts'
import { metersAhead, metersNeeded, OpenedMeters, standingMeters } from './usage-meters.ts'

type Means = Pick<VaultContext, 'keyring' | 'memory' | 'meterTurns'>

/**
 * The meters that one request counts on, as the next unit finds them if all units under way are written. That is good for a unit that is
 * guarded by each of those rows: it is written after the others or not at all. Whatever else is answered must not rest on a use that
 * may never come to be, and is decided on the meters as they stand.
 */
export class RequestMeters {
  readonly #means: Means
  readonly #brought: BroughtMeters | undefined
  #ahead: OpenedMeters | undefined
  #release = (): void => {}

  /** @param brought  where the vault has asked for them */
  constructor(means: Means, brought: BroughtMeters | undefined) {
    this.#means = means
    this.#brought = brought
  }

  /**
   * @returns  which rows have to be brought first
   * @throws   Older
   */
  open(
    uses: readonly CountedUse[],
    now: Ms,
  ): OpenedMeters | MetersNeeded | Promise<OpenedMeters | MetersNeeded> {
    return uses.length === 0 ? new OpenedMeters(uses, new Map(), now) : this.#opened(uses, now)
  }

  async #opened(uses: readonly CountedUse[], now: Ms): Promise<OpenedMeters | MetersNeeded> {
    const brought = this.#brought
    if (brought?.asTheyStand !== true) {
      await this.#takeTurns(uses)
      this.#ahead = metersAhead(this.#means, uses, now)
    }
    return this.#ahead ?? standingMeters(this.#means, uses, brought, now) ?? metersNeeded(uses)
  }

  async #takeTurns(uses: readonly CountedUse[]): Promise<void> {
    const names = [...new Set(uses.map(({ id }) => id))].toSorted()
    await new Promise<void>((begin) => {
      void mutexes(this.#means.meterTurns, names, async () => {
        const ended = new Promise<void>((resolve) => {
          this.#release = resolve
        })
        begin()
        await ended
      })
    })
  }

  /** The same answer, where it rests on nothing that may never come to be. */
  onWhatStands<Answer extends Judged>(judged: Answer): Answer | MetersNeeded {
    if (this.#ahead === undefined) return judged
    const isGuarded = judged.kind === 'commit' && this.#ahead.areGuardsOf(judged.unit)
    return isGuarded ? judged : metersNeeded(this.#ahead.uses, { asTheyStand: true })
  }

  /** To be called once the request is decided: it is the turn of the next. */
  close(): void {
    this.#release()
  }
}
