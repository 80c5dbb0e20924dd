type Flow = { underWay: number; readonly waiting: { readonly weight: number; readonly start: () => void }[] }

/**
 * Bounds the cost of the jobs that each flow runs at once; one job always runs. Further jobs wait in their order,
 * behind jobs of their own flow only.
 */
export class FlowLimit {
  readonly #flows = new Map<string, Flow>()
  readonly #weightMax: number

  constructor(weightMax: number) {
    this.#weightMax = weightMax
  }

  async run<Result>(name: string, weight: number, job: () => Promise<Result>): Promise<Result> {
    const flow = this.#flows.get(name) ?? { underWay: 0, waiting: [] }
    this.#flows.set(name, flow)
    if (flow.waiting.length > 0 || !this.#fits(flow, weight))
      await new Promise<void>((start) => flow.waiting.push({ weight, start }))
    else flow.underWay += weight
    try {
      return await job()
    } finally {
      flow.underWay -= weight
      this.#startWhatFits(flow)
      if (flow.underWay === 0 && flow.waiting.length === 0) this.#flows.delete(name)
    }
  }

  #fits({ underWay }: Flow, weight: number): boolean {
    return underWay === 0 || underWay + weight <= this.#weightMax
  }

  #startWhatFits(flow: Flow): void {
    for (
      let next = flow.waiting[0];
      next !== undefined && this.#fits(flow, next.weight);
      next = flow.waiting[0]
    ) {
      flow.waiting.shift()
      flow.underWay += next.weight
      next.start()
    }
  }
}
