import { hash } from 'node:crypto'
import { costs } from '../../base/costs.ts'
import type { Steps } from '../../base/work.ts'
import { limits } from '../../charter/limits.ts'
import { USAGES_MAX } from '../../policy/limits.ts'
import type { Meter } from '../../policy/meters.ts'
import { decisionBudget, type Usage } from '../../policy/run.ts'
import type { Facts } from '../../policy/types.ts'
import { Problem } from '../../policy/problem.ts'
import { tooManyMeters } from '../failures.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'

/** The amount that a request would add to one meter, for one combination of the values by which the meter counts. */
export type CountedUse = {
  /** The id of the meter's row. */
  readonly id: string
  /** The organization whose policies use the meter. */
  readonly organizationId: string
  readonly key: string
  readonly meter: Meter
  /**
   * The amount for each action of the request, by its index among the facts; absent where this meter does not count it.
   */
  readonly amounts: ReadonlyMap<number, bigint>
  /** The sum of all amounts. */
  readonly total: bigint
}

/**
 * Each one is a row to bring, open, compare and write, and a turn to wait for. A request that does one thing counts in
 * all meters of all policies at most, so it is never refused for their number: otherwise an organization with too many
 * limits could do nothing any more, not even delete one.
 */
const USES_MAX = limits.policies * USAGES_MAX

/**
 * The amounts that a request would add to the meters of its policies. Where the amount for a meter cannot be computed,
 * nothing is counted, and the policy that uses the meter has no value either.
 *
 * @throws Failure `tooManyMeters`
 */
export function* usesOf(
  { meters, charter }: CompiledCharter,
  facts: readonly Facts[],
): Steps<readonly CountedUse[]> {
  const { organizationId } = charter
  // Tenants share a process: once the steps are used up, further meters are not read, and policies that use them fail.
  const budget = decisionBudget(facts.length)
  const uses = new Map<string, { readonly meter: Meter; readonly amounts: Map<number, bigint> }>()
  for (const meter of meters) {
    for (const [at, one] of facts.entries()) {
      const before = budget.steps
      const use = meter.use(one, budget)
      yield costs.usage + (before - budget.steps) * costs.expressionStep
      if (use instanceof Problem) continue
      const { key, amount } = use
      const counted = uses.get(key) ?? { meter, amounts: new Map() }
      counted.amounts.set(at, amount)
      uses.set(key, counted)
      if (uses.size > USES_MAX) throw tooManyMeters({ max: USES_MAX })
    }
  }
  return [...uses].map(([key, { meter, amounts }]) => {
    const total = [...amounts.values()].reduce((sum, amount) => sum + amount, 0n)
    return { id: meterRowId(organizationId, key), organizationId, key, meter, amounts, total }
  })
}

/**
 * The earlier usage that policies see for each action of a request: the usage of earlier requests, and that of the
 * other actions of this one. However many actions and policies there are, each meter is looked at once.
 *
 * @param before  the usage of earlier requests, within the window
 */
export function earlierUsage(
  uses: readonly CountedUse[],
  before: (use: CountedUse) => bigint,
): (at: number) => Usage {
  const byKey = new Map(uses.map((use) => [use.key, use]))
  const known = new Map<CountedUse, bigint>()
  const beforeOnce = (use: CountedUse): bigint => {
    const found = known.get(use) ?? before(use)
    known.set(use, found)
    return found
  }
  return (at) => (key) => {
    const use = byKey.get(key)
    // A policy that uses the meter has an amount here, unless the steps ran out before.
    const own = use?.amounts.get(at)
    return use === undefined || own === undefined ? undefined : beforeOnce(use) + use.total - own
  }
}

/** The id of the row with the count of a meter, for one combination of its values. */
export function meterRowId(organizationId: string, key: string): string {
  return hash('sha256', JSON.stringify([organizationId, key]), 'hex')
}

/** The facts about the user for whom a request counts. */
export function usageFacts(proposerId: string): Facts {
  return { usage: { user: proposerId } }
}
