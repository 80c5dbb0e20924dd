import { FairQueue, type Place } from './fair-queue.ts'
import { defineFailure, INVALID_ARGUMENT } from './failure.ts'

/** The work of about a microsecond; the costs were measured once, so that the same request always costs the same. */
export type Units = number

/** The highest total cost of one request: two seconds of the vault's thread, in slices. */
export const REQUEST_COST_MAX: Units = 2_000_000

/** The highest cost of a request before any rule is known that could allow it. */
export const UNPROVEN_COST_MAX: Units = 25_000

/** After this cost in one turn of the event loop, expensive steps wait for the next turn. */
export const SLICE: Units = 4_000

export const requestTooCostly = defineFailure<{ readonly max: Units }>({
  kind: 'requestTooCostly',
  code: INVALID_ARGUMENT,
  say: ({ max }) =>
    `invalid request: it needs more work than the ${max} units that one request may cost; split it into several requests`,
})

/** Work that is cut into steps; each yields its cost before it is done. */
export type Steps<T> = Generator<Units, T, void>

/** Work that is already paid for, as a single step without further cost. */
export function* asOneStep<T>(make: () => T): Steps<T> {
  yield 0
  return make()
}

/** Does all steps at once, for work that is known to be short, or where nothing else waits. */
export function finished<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/**
 * Divides the vault's thread between requests. After a slice has been used in one turn of the event loop, further work
 * waits for a later turn, and tenants continue in a fair order by their cost so far. A tenant with expensive or many
 * requests delays the others by one slice at a time. Work that would be next anyway does not wait for the turn, so that
 * a small request of another tenant loses one slice and not one at each of its pauses. Between two turns all such work
 * together has one slice: with any number of tenants, nobody keeps what waits from its turn.
 *
 * Of one tenant, requests that have used a slice are finished one after the other, so that the memory of one of them is
 * in use and not that of all. In turn with these, its other requests have their slices.
 */
export class Pace {
  readonly #turn: () => Promise<void>
  readonly #waiting = new FairQueue<() => void>()
  #held: Units = 0
  /** The cost since the last slice ended. */
  #sinceSlice: Units = 0
  #isTurning = false
  /** The number of waits so far. */
  waits = 0

  /** @param turn  resolves in the next turn of the event loop */
  constructor(turn: () => Promise<void>) {
    this.#turn = turn
  }

  add(flow: string, units: Units): void {
    this.#held += units
    this.#sinceSlice += units
    if (this.#isTurning) this.#waiting.charge(flow, units)
  }

  /** Whether work waits for its turn, so that a turn of the event loop takes a slice. */
  get isBusy(): boolean {
    return this.#isTurning
  }

  /** Whether work of this flow goes on before all that waits, without a turn of its own. */
  goesFirst(flow: string): boolean {
    return this.#isTurning && this.#sinceSlice < SLICE && this.#waiting.wouldBeNext(flow)
  }

  pause(flow: string, place: Place = 'new'): Promise<void> | undefined {
    if ((this.#held < SLICE && this.#waiting.isEmpty) || this.goesFirst(flow)) return undefined
    this.waits += 1
    return new Promise((goOn) => {
      this.#waiting.push(flow, goOn, place)
      if (!this.#isTurning) void this.#takeTurns()
    })
  }

  /** One slice in each turn, so that requests that arrive meanwhile are considered before the next one. */
  async #takeTurns(): Promise<void> {
    this.#isTurning = true
    while (!this.#waiting.isEmpty) {
      await this.#turn()
      this.#held = 0
      while (this.#held < SLICE && !this.#waiting.isEmpty) {
        this.#waiting.shift()?.()
        // The resumed work charges its next step before this loop continues.
        await null
      }
      this.#sinceSlice = 0
    }
    this.#isTurning = false
    this.#waiting.beginAnew()
  }
}

/** Steps may cost a fraction of a unit each. */
const CHARGED_TOGETHER: Units = 500

type Charge = (units: Units) => void

/** Counts the cost of one request while it is processed. */
export class Work {
  readonly #pace: Pace
  readonly #flow: string
  #spent: Units = 0
  /** The part of it that the request is not bounded by. */
  #unbounded: Units = 0
  #max: Units = REQUEST_COST_MAX
  #prove: (() => void) | undefined
  /** Whether it has waited since it had used a slice. */
  #hasBegun = false

  /** @param flow  the tenant of the request, as far as it is known before the request is read */
  constructor(pace: Pace, flow: string) {
    this.#pace = pace
    this.#flow = flow
  }

  get spent(): Units {
    return this.#spent
  }

  /** The remaining cost that the request may use once a rule is known that could allow it. */
  get left(): Units {
    return REQUEST_COST_MAX - this.#bounded
  }

  get #bounded(): Units {
    return this.#spent - this.#unbounded
  }

  /**
   * Call it before a step with this cost.
   *
   * @throws Failure `requestTooCostly`, or the failure that `prove` throws
   */
  charge(units: Units): void {
    this.#count(units)
    if (this.#bounded > this.#max) this.#exceeded()
  }

  /** The same for work that the request is not bounded by, because its result is kept for all later requests. */
  chargeUnbounded(units: Units): void {
    this.#count(units)
    this.#unbounded += units
  }

  #count(units: Units): void {
    this.#spent += units
    this.#pace.add(this.#flow, units)
  }

  /** Whether this work goes on while that of other tenants waits for a turn. */
  get goesFirst(): boolean {
    return this.#pace.goesFirst(this.#flow)
  }

  /** Await it before the first step, and between short steps. */
  pause(): Promise<void> | undefined {
    const place = this.#spent < SLICE ? 'new' : this.#hasBegun ? 'goes on' : 'begins'
    const turn = this.#pace.pause(this.#flow, place)
    if (turn !== undefined) this.#hasBegun = place !== 'new'
    return turn
  }

  /** Await it before a step with this cost, where there are many such steps. */
  async step(units: Units): Promise<void> {
    const turn = this.pause()
    if (turn !== undefined) await turn
    this.charge(units)
  }

  /**
   * Does one step after another, and lets other requests run in between. Cheap work is done at once, and the result is
   * not a promise.
   */
  through<T>(steps: Steps<T>): T | Promise<T> {
    return this.#through(steps, (units) => this.charge(units))
  }

  /** The same for work that the request is not bounded by. */
  throughUnbounded<T>(steps: Steps<T>): T | Promise<T> {
    return this.#through(steps, (units) => this.chargeUnbounded(units))
  }

  #through<T>(steps: Steps<T>, charge: Charge): T | Promise<T> {
    let announced = 0
    let step = steps.next()
    while (step.done !== true && announced + step.value < CHARGED_TOGETHER) {
      announced += step.value
      step = steps.next()
    }
    if (step.done !== true) return this.#goThrough(steps, charge, { first: step, before: announced })
    charge(announced)
    return step.value
  }

  async #goThrough<T>(
    steps: Steps<T>,
    charge: Charge,
    { first, before }: { readonly first: IteratorYieldResult<Units>; readonly before: Units },
  ): Promise<T> {
    let announced = before
    let step: IteratorResult<Units, T> = first
    while (step.done !== true) {
      announced += step.value
      if (announced >= CHARGED_TOGETHER) {
        try {
          charge(announced)
        } catch (error) {
          // Runs the clean-up of the steps; their result is not used.
          steps.return(undefined as never)
          throw error
        }
        announced = 0
        const pause = this.pause()
        if (pause !== undefined) await pause
      }
      step = steps.next()
    }
    charge(announced)
    return step.value
  }

  /**
   * From here on the request may use `UNPROVEN_COST_MAX` more. When that is used up, `prove` is called once; if it
   * returns, the work goes on.
   *
   * @param prove  throws when no rule could allow the request
   */
  unproven(prove: () => void): void {
    this.#max = Math.min(this.#bounded + UNPROVEN_COST_MAX, REQUEST_COST_MAX)
    this.#prove = prove
  }

  #exceeded(): void {
    const prove = this.#prove
    this.#prove = undefined
    this.#max = REQUEST_COST_MAX
    prove?.()
    if (this.#bounded > this.#max) throw requestTooCostly({ max: this.#max })
  }
}
