import type { Ms } from '../../base/world.ts'
import type { ReplayedMeter } from '../../catalogue/rehearsal.ts'
import { forgottenAt, type UsageSlots, usedWithin, withUse } from '../../policy/usage-window.ts'
import type { CountedUse } from '../usage/usage.ts'

/** The usage of the requests of a replay so far. It counts like meters, and is not stored. */
export class Tally {
  readonly #meters: Map<string, { readonly windowMs: number; readonly slots: UsageSlots }>

  constructor(soFar: readonly ReplayedMeter[]) {
    this.#meters = new Map(
      soFar.map(({ meterId, windowMs, slots }) => [
        meterId,
        { windowMs, slots: slots.map(({ slot, amount }) => [slot, BigInt(amount)]) },
      ]),
    )
  }

  before({ id, meter: { windowMs } }: CountedUse, at: Ms): bigint {
    return usedWithin(this.#meters.get(id)?.slots ?? [], windowMs, at)
  }

  count(uses: readonly CountedUse[], at: Ms): void {
    for (const use of uses) {
      const { windowMs } = use.meter
      const slots = withUse(this.#meters.get(use.id)?.slots ?? [], use.total, windowMs, at)
      this.#meters.set(use.id, { windowMs, slots })
    }
  }

  /** The usage that still counts for later requests. */
  soFar(at: Ms): readonly ReplayedMeter[] {
    return [...this.#meters]
      .filter(([, { windowMs, slots }]) => forgottenAt(slots, windowMs) > at)
      .map(([meterId, { windowMs, slots }]) => ({
        meterId,
        windowMs,
        slots: slots.map(([slot, amount]) => ({ slot, amount: String(amount) })),
      }))
  }
}
