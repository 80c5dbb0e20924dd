import { FairQueue } from './fair-queue.ts'

/** Whose turn it is to be, and what it is expected to cost. */
export type Share = { readonly flow: string; readonly cost: number }

type Waiting = { readonly share: Share; readonly start: () => void }

/**
 * Lets jobs begin, as much at once as a bound allows, so that what has to wait waits here, where it is fair, and not behind.
 * A job that costs more than the bound runs when nothing else does.
 */
export class FairTurns {
  readonly #queue = new FairQueue<Waiting>()
  readonly #costMax: number
  #underWay = 0

  /** @param costMax  how much may be under way at once, in the unit of the shares */
  constructor(costMax: number) {
    this.#costMax = costMax
  }

  /** @param costOf  what the job has really cost, where that is known afterwards */
  async run<Result>(
    share: Share,
    job: () => Promise<Result>,
    costOf: (result: Result) => number = () => share.cost,
  ): Promise<Result> {
    const { flow, cost } = share
    await new Promise<void>((start) => {
      this.#queue.push(flow, { share, start })
      this.#startWhatFits()
    })
    try {
      const result = await job()
      this.#queue.charge(flow, costOf(result) - cost)
      return result
    } finally {
      this.#underWay -= cost
      this.#startWhatFits()
      if (this.#underWay === 0) this.#queue.beginAnew()
    }
  }

  /** Nobody who needs less room goes before the next, or a dear job would never begin. */
  #startWhatFits(): void {
    for (let next = this.#queue.peek(); next !== undefined; next = this.#queue.peek()) {
      const { flow, cost } = next.share
      if (this.#underWay > 0 && this.#underWay + cost > this.#costMax) return
      this.#queue.shift()
      this.#underWay += cost
      this.#queue.charge(flow, cost)
      next.start()
    }
  }
}
