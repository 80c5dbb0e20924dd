import { FairQueue } from './fair-queue.ts'

/** The flow that takes a turn, and the expected cost of the turn. */
export type Share = { readonly flow: string; readonly cost: number }

type Waiting = { readonly share: Share; readonly start: () => void }

/**
 * Starts jobs up to a total cost at once. Further jobs wait here, where the order is fair, and not in a later queue. A
 * job that costs more than the bound runs alone.
 */
export class FairTurns {
  readonly #queue = new FairQueue<Waiting>()
  readonly #costMax: number
  #underWay = 0

  /** @param costMax  total cost of the jobs that run at once, in the unit of the shares */
  constructor(costMax: number) {
    this.#costMax = costMax
  }

  /** @param costOf  the actual cost of the job, where it is known afterwards */
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

  /** A cheaper job never overtakes the next one: otherwise an expensive job would never start. */
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
