import { mutexes } from '../../base/keyed-mutex.ts'
import type { Work } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { BroughtMeters, MetersNeeded } from '../../../protocol/vault.ts'
import type { Judged } from '../decision/judged.ts'
import type { VaultContext } from '../vault-context.ts'
import type { CountedUse } from './usage.ts'
import { metersAhead, metersNeeded, OpenedMeters, standingMeters } from './usage-meters.ts'

type Means = Pick<VaultContext, 'keyring' | 'memory' | 'meterTurns'>

/**
 * The meters of one request, in the state after all units under way. A unit may depend on that state, because each of
 * these rows guards it: it is written after the others, or not at all. Any other answer must not depend on usage that
 * may never be committed, so it is decided on the committed meters.
 */
export class RequestMeters {
  readonly #means: Means
  readonly #brought: BroughtMeters | undefined
  #ahead: OpenedMeters | undefined
  #release = (): void => {}

  /** @param brought  the meters, where the vault has asked for them */
  constructor(means: Means, brought: BroughtMeters | undefined) {
    this.#means = means
    this.#brought = brought
  }

  /**
   * @returns  the rows that must be brought first
   * @throws   Older
   */
  open(
    uses: readonly CountedUse[],
    now: Ms,
    work: Work,
  ): OpenedMeters | MetersNeeded | Promise<OpenedMeters | MetersNeeded> {
    return uses.length === 0 ? new OpenedMeters(uses, new Map(), now) : this.#opened(uses, now, work)
  }

  async #opened(uses: readonly CountedUse[], now: Ms, work: Work): Promise<OpenedMeters | MetersNeeded> {
    const brought = this.#brought
    if (brought?.asTheyStand !== true) {
      await this.#takeTurns(uses)
      this.#ahead = await work.through(metersAhead(this.#means, uses, now))
    }
    if (this.#ahead !== undefined) return this.#ahead
    return (await work.through(standingMeters(this.#means, uses, brought, now))) ?? metersNeeded(uses)
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

  /** The same answer, if it depends on committed usage only. */
  onWhatStands<Answer extends Judged>(judged: Answer): Answer | MetersNeeded {
    if (this.#ahead === undefined) return judged
    const isGuarded = judged.kind === 'commit' && this.#ahead.areGuardsOf(judged.unit)
    return isGuarded ? judged : metersNeeded(this.#ahead.uses, { asTheyStand: true })
  }

  /** Call it once the request is decided, to give the turn to the next one. */
  close(): void {
    this.#release()
  }
}
