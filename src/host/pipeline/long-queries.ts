import { FairTurns } from '../../trusted/base/fair-turns.ts'
import { FlowLimit } from '../../trusted/base/flow-limit.ts'
import type { Long } from '../../trusted/catalogue/query.ts'

/**
 * Bounds the number of long queries under way, because of their memory. Further ones wait: those of an organization for
 * its own, and the organization that has had the fewest comes first.
 */
export class LongQueries {
  readonly #ofEach: FlowLimit
  readonly #all: FairTurns

  constructor({ ofEach, all }: { readonly ofEach: number; readonly all: number }) {
    this.#ofEach = new FlowLimit(ofEach)
    this.#all = new FairTurns(all)
  }

  async run<Result>(organizationId: string, query: () => Promise<Result>): Promise<Result> {
    return await this.#ofEach.run(organizationId, 1, () =>
      this.#all.run({ flow: organizationId, cost: 1 }, query),
    )
  }
}

/**
 * Of the six kinds: an answer that is held while it is made, of up to some 130 MB; the record of one activity, of up to
 * some 10 MB with its answer; such a record in an archive; charters of sub-organizations, of up to some 30 MB at a
 * time; the interfaces of contracts that a decision or a rehearsal needs, of up to 40 MB; and drafts of policies, of
 * which the vault compiles up to 80 MB. Logins look for sub-organizations, and clients that wait for a signature ask
 * for its record, so neither waits for long answers, or for a slow storage of archives.
 */
export function longQueries(): {
  readonly [Kind in Long | 'archived' | 'interfaces' | 'drafts']: LongQueries
} {
  return {
    answer: new LongQueries({ ofEach: 2, all: 8 }),
    record: new LongQueries({ ofEach: 8, all: 32 }),
    archived: new LongQueries({ ofEach: 2, all: 8 }),
    charters: new LongQueries({ ofEach: 4, all: 16 }),
    interfaces: new LongQueries({ ofEach: 2, all: 8 }),
    drafts: new LongQueries({ ofEach: 2, all: 4 }),
  }
}
