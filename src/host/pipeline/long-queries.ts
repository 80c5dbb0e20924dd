import { FairTurns } from '../../trusted/base/fair-turns.ts'
import { FlowLimit } from '../../trusted/base/flow-limit.ts'

/** Each holds its answer while it is made: at most some 130 MB. */
const UNDER_WAY_MAX = 8
const OF_ONE_MAX = 2

/**
 * Bounds the number of long queries under way, because of their memory. Further ones wait: those of an organization for
 * its own, and the organization that has had the fewest comes first.
 */
export class LongQueries {
  readonly #ofEach = new FlowLimit(OF_ONE_MAX)
  readonly #all = new FairTurns(UNDER_WAY_MAX)

  async run<Result>(organizationId: string, query: () => Promise<Result>): Promise<Result> {
    return await this.#ofEach.run(organizationId, 1, () =>
      this.#all.run({ flow: organizationId, cost: 1 }, query),
    )
  }
}
