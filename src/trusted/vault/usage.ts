import { hash } from 'node:crypto'
import { costs } from '../base/costs.ts'
import type { Steps } from '../base/work.ts'
import type { Meter } from '../policy/meters.ts'
import { decisionBudget, type Usage } from '../policy/run.ts'
import type { Facts } from '../policy/types.ts'
import { Problem } from '../policy/problem.ts'
import { tooManyMeters } from './failures.ts'
import type { CompiledCharter } from './compiled-charter.ts'

/** What a request would add to one meter, for one set of what the meter counts apart by. */
export type CountedUse = {
  /** Of the row that the meter has its count in. */
  readonly id: string
  /** Whose policies ask the meter. */
  readonly organizationId: string
  readonly key: string
  readonly meter: Meter
  /** Of each thing that the request does, by its place among the facts; absent where this meter does not count it. */
  readonly amounts: ReadonlyMap<number, bigint>
  /** Of all of them. */
  readonly total: bigint
}

/** Each is a row to be brought, opened, compared and written, and a turn to be waited for. */
const USES_MAX = 500

/**
 * What a request would add to the meters of the policies that judge it. Where a meter cannot be read for it, it counts nothing,
 * and the policy that asks it has no value either.
 *
 * @throws Failure `tooManyMeters`
 */
export function* usesOf(
  { meters, charter }: CompiledCharter,
  facts: readonly Facts[],
): Steps<readonly CountedUse[]> {
  if (meters.length === 0) return []
  const { organizationId } = charter
  // Tenants share a process: one that has used up its steps has its further meters unread, and what asks them fails.
  const budget = decisionBudget(facts.length)
  const uses = new Map<string, { readonly meter: Meter; readonly amounts: Map<number, bigint> }>()
  for (const meter of meters) {
    for (const [at, one] of facts.entries()) {
      const before = budget.steps
      const use = meter.use(one, budget)
      yield costs.policy + (before - budget.steps) * costs.expressionStep
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
 * What policies see of what was used before, when they judge one of the things that a request does: what earlier requests used,
 * and what the rest of this one does.
 *
 * @param before  what earlier requests used, within the window
 */
export function usageAt(
  at: number,
  uses: readonly CountedUse[],
  before: (use: CountedUse) => bigint,
): Usage | undefined {
  if (uses.length === 0) return undefined
  return (key) => {
    const use = uses.find((countedUse) => countedUse.key === key)
    // Who asks has an amount here, unless the steps ran out before it was counted.
    const own = use?.amounts.get(at)
    return use === undefined || own === undefined ? undefined : before(use) + use.total - own
  }
}

/** Of the row in which a meter has its count for one set of what it is counted by. */
export function meterRowId(organizationId: string, key: string): string {
  return hash('sha256', JSON.stringify([organizationId, key]), 'hex')
}

/** Facts of whom a request counts for. */
export function usageFacts(proposerId: string): Facts {
  return { usage: { user: proposerId } }
}
