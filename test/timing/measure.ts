import { randomBytes } from 'node:crypto'
import { type Comparison, compared } from './welch.ts'

export type Subject<T = unknown> = {
  readonly what: string
  /** Runs one request of the first or of the second kind. */
  readonly run: (kind: 0 | 1, index: number) => Promise<T>
}

const WARM_UP = 500

/** Times both kinds, in an order drawn anew, so that whatever else the machine does meets both alike. */
export async function measured({ run }: Subject, samples: number): Promise<Comparison> {
  const times: [number[], number[]] = [[], []]
  for (let index = 0; index < WARM_UP; index++) await run(index % 2 === 0 ? 0 : 1, index)
  for (const [index, kind] of drawnOrder(samples).entries()) {
    const startedAt = process.hrtime.bigint()
    await run(kind, index)
    times[kind].push(Number(process.hrtime.bigint() - startedAt) / 1000)
  }
  return compared(...times)
}

/** As many of each kind, shuffled (Fisher and Yates). */
function drawnOrder(samples: number): readonly (0 | 1)[] {
  const order = Array.from({ length: samples * 2 }, (_, index): 0 | 1 => (index < samples ? 0 : 1))
  for (let at = order.length - 1; at > 0; at--) {
    const other = randomBytes(4).readUInt32LE() % (at + 1)
    const [a = 0, b = 0] = [order[at], order[other]]
    order[at] = b
    order[other] = a
  }
  return order
}
