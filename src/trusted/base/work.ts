import { FairQueue } from './fair-queue.ts'
import { defineFailure, INVALID_ARGUMENT } from './failure.ts'

/** About what this code does in a microsecond; measured once, so that the same request always costs the same. */
export type Units = number

/** What one request may cost altogether: two seconds of the vault's thread, in slices. */
export const REQUEST_COST_MAX: Units = 2_000_000

/** What may be done for somebody of whom it is not known yet whether anything allows what they ask for. */
export const UNPROVEN_COST_MAX: Units = 25_000

/** After so much in one turn of the event loop, what is dear waits for the next turn. */
export const SLICE: Units = 4_000

export const requestTooDear = defineFailure<{ readonly max: Units }>({
  kind: 'requestTooDear',
  code: INVALID_ARGUMENT,
  say: ({ max }) =>
    `invalid request: it asks for more work than the ${max} units that one request may cost; send it in several parts`,
})

/** Work that is cut into steps: each is announced with what it costs before it is done. */
export type Steps<T> = Generator<Units, T, void>

/** Work whose cost was announced before, as steps: a single one that costs nothing more. */
export function* asOneStep<T>(make: () => T): Steps<T> {
  yield 0
  return make()
}

/** Does all steps at once: for what is known to be short, and where nobody waits. */
export function finished<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/**
 * What is done in one turn of the event loop, for all requests together. What is to go on once a slice has been used waits for
 * a later turn, and tenants are taken in turn by what they have been given: one who asks for what is dear, or for much,
 * holds up the others by a slice at a time.
 */
export class Pace {
  readonly #turn: () => Promise<void>
  readonly #waiting = new FairQueue<() => void>()
  #held: Units = 0
  #isTurning = false
  /** How often something has waited. */
  waits = 0

  /** @param turn  resolves in the next turn of the event loop */
  constructor(turn: () => Promise<void>) {
    this.#turn = turn
  }

  add(flow: string, units: Units): void {
    this.#held += units
    if (this.#isTurning) this.#waiting.charge(flow, units)
  }

  pause(flow: string): Promise<void> | undefined {
    if (this.#held < SLICE && this.#waiting.isEmpty) return undefined
    this.waits += 1
    return new Promise((goOn) => {
      this.#waiting.push(flow, goOn)
      if (!this.#isTurning) void this.#takeTurns()
    })
  }

  /** A slice in each turn, so that what arrives meanwhile is asked about before the next. */
  async #takeTurns(): Promise<void> {
    this.#isTurning = true
    while (!this.#waiting.isEmpty) {
      await this.#turn()
      this.#held = 0
      while (this.#held < SLICE && !this.#waiting.isEmpty) {
        this.#waiting.shift()?.()
        // What goes on charges its next step before this does.
        await null
      }
    }
    this.#isTurning = false
    this.#waiting.beginAnew()
  }
}

/** Steps may cost a fraction of a unit each. */
const CHARGED_TOGETHER: Units = 500

/** Counts what one request costs while it is worked on. */
export class Work {
  readonly #pace: Pace
  readonly #flow: string
  #spent: Units = 0
  #max: Units = REQUEST_COST_MAX
  #prove: (() => void) | undefined

  /** @param flow  whose request it is, as far as that is known before anything of it is read */
  constructor(pace: Pace, flow: string) {
    this.#pace = pace
    this.#flow = flow
  }

  get spent(): Units {
    return this.#spent
  }

  /** What it may still cost, once it is known that something allows it. */
  get left(): Units {
    return REQUEST_COST_MAX - this.#spent
  }

  /**
   * To be called before the step that costs so much.
   *
   * @throws Failure `requestTooDear`, or what `unproven` was given to throw
   */
  charge(units: Units): void {
    this.#spent += units
    this.#pace.add(this.#flow, units)
    if (this.#spent > this.#max) this.#exceeded()
  }

  /** To be awaited before the first step, and between steps of which each is short. */
  pause(): Promise<void> | undefined {
    return this.#pace.pause(this.#flow)
  }

  /** To be awaited before a step that costs so much, where there are many of them. */
  async step(units: Units): Promise<void> {
    const turn = this.pause()
    if (turn !== undefined) await turn
    this.charge(units)
  }

  /** Does one step after another, and lets others go between. What costs little is done at once, and answered without a promise. */
  through<T>(steps: Steps<T>): T | Promise<T> {
    let announced = 0
    let step = steps.next()
    while (step.done !== true && announced + step.value < CHARGED_TOGETHER) {
      announced += step.value
      step = steps.next()
    }
    if (step.done !== true) return this.#goThrough(steps, step, announced)
    this.charge(announced)
    return step.value
  }

  async #goThrough<T>(steps: Steps<T>, first: IteratorYieldResult<Units>, before: Units): Promise<T> {
    let announced = before
    let step: IteratorResult<Units, T> = first
    while (step.done !== true) {
      announced += step.value
      if (announced >= CHARGED_TOGETHER) {
        try {
          this.charge(announced)
        } catch (error) {
          // So that what the steps have to clean up is cleaned up. Nobody looks at what they come to.
          steps.return(undefined as never)
          throw error
        }
        announced = 0
        const pause = this.pause()
        if (pause !== undefined) await pause
      }
      step = steps.next()
    }
    this.charge(announced)
    return step.value
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
