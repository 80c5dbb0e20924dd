import type { ObjectRow, Unit } from '../../trusted/catalogue/unit.ts'
import { USAGE_METER } from '../../trusted/objects/usage-meter.ts'
import type { CommitResult } from '../store/store.ts'

/** A meter as a unit will leave it that is being committed. */
type MeterUnderWay = { readonly row: ObjectRow; readonly ended: Promise<unknown> }

/**
 * The meters that units under way have counted on. The next request with such a meter is decided on the row that the one before will
 * leave, and committed after it: of two requests, the second need not wait for the disk to be decided.
 */
export class MetersUnderWay {
  readonly #meters = new Map<string, MeterUnderWay>()

  get(objectId: string): MeterUnderWay | undefined {
    return this.#meters.get(objectId)
  }

  /** Until the unit is settled. One that was not written takes those with it that rest on it: each is decided anew. */
  put({ objects }: Unit, outcome: Promise<CommitResult>): void {
    const rows = objects.put.filter(({ kind }) => kind === USAGE_METER)
    if (rows.length === 0) return
    const ended = outcome.then(
      ({ kind }) => {
        for (const row of rows)
          if (kind !== 'committed' || this.#meters.get(row.objectId)?.row === row)
            this.#meters.delete(row.objectId)
      },
      () => {
        for (const { objectId } of rows) this.#meters.delete(objectId)
      },
    )
    for (const row of rows) this.#meters.set(row.objectId, { row, ended })
  }
}
