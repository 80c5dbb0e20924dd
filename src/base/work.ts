import { defineFailure, INVALID_ARGUMENT } from './failure.ts'

/** About what this code does in a microsecond; measured once, so that the same request always costs the same. */
export type Units = number

/** What one request may cost altogether: two seconds of the vault's thread, in slices. */
export const REQUEST_COST_MAX: Units = 2_000_000

/** What may be done for somebody of whom it is not known yet whether anything allows what they ask for. */
export const UNPROVEN_COST_MAX: Units = 25_000

/** After so much in one turn of the event loop, what is dear waits for the next turn. */
export const SLICE: Units = 20_000

export const requestTooDear = defineFailure<{ readonly max: Units }>({
  kind: 'requestTooDear',
  code: INVALID_ARGUMENT,
  say: ({ max }) =>
    `invalid request: it asks for more work than the ${max} units that one request may cost; send it in several parts`,
})

/** What is done in one turn of the event loop, for all requests together. */
export class Pace {
  readonly #turn: () => Promise<void>
  #held: Units = 0
  #last: Promise<void> = Promise.resolve()
  /** How often something has waited. */
  waits = 0

  /** @param turn  resolves in the next turn of the event loop */
  constructor(turn: () => Promise<void>) {
    this.#turn = turn
  }

  add(units: Units): void {
    this.#held += units
  }

  /** Those who wait go on one in each turn, so that what arrives meanwhile is held up by one slice and not by all of them. */
  pause(): Promise<void> | undefined {
    if (this.#held < SLICE) return undefined
    this.waits += 1
    this.#last = this.#last.then(async () => {
      await this.#turn()
      this.#held = 0
    })
    return this.#last
  }
}

/** Counts what one request costs while it is worked on. */
export class Work {
  readonly #pace: Pace
  #spent: Units = 0
  #max: Units = REQUEST_COST_MAX
  #prove: (() => void) | undefined

  constructor(pace: Pace) {
    this.#pace = pace
  }

  get spent(): Units {
    return this.#spent
  }

  /**
   * To be called before the step that costs so much.
   *
   * @throws Failure `requestTooDear`, or what `unproven` was given to throw
   */
  charge(units: Units): void {
    this.#spent += units
    this.#pace.add(units)
    if (this.#spent > this.#max) this.#exceeded()
  }

  /** To be awaited between steps of which each is short. */
  pause(): Promise<void> | undefined {
    return this.#pace.pause()
  }

  /**
   * From here on only `UNPROVEN_COST_MAX` more is done unless `prove` returns; it is asked once, when that much has been used.
   *
   * @param prove  throws when nothing could allow the request
   */
  unproven(prove: () => void): void {
    this.#max = Math.min(this.#spent + UNPROVEN_COST_MAX, REQUEST_COST_MAX)
    this.#prove = prove
  }

  #exceeded(): void {
    const prove = this.#prove
    this.#prove = undefined
    this.#max = REQUEST_COST_MAX
    prove?.()
    if (this.#spent > this.#max) throw requestTooDear({ max: this.#max })
  }
}
