import { hash } from 'node:crypto'
import type { Meter } from '../policy/meters.ts'
import type { Usage } from '../policy/meter.ts'
import { decisionBudget } from '../policy/run.ts'
import type { Facts } from '../policy/types.ts'
import { Problem } from '../policy/values.ts'
import type { Standing } from './standing.ts'

/** What a request would add to one meter, for one set of what the meter counts apart by. */
export type CountedUse = {
  /** Of the row that the meter has its count in. */
  readonly id: string
  /** Whose policies ask the meter. */
  readonly organizationId: string
  readonly key: string
  readonly meter: Meter
  /** Of each thing that the request does, in the order of its facts; undefined where this meter does not count it. */
  readonly amounts: readonly (bigint | undefined)[]
}

/**
 * What a request would add to the meters of the policies that judge it. Where a meter cannot be read for it, it counts nothing,
 * and the policy that asks it has no value either.
 */
export function usesOf({ meters, charter }: Standing, facts: readonly Facts[]): readonly CountedUse[] {
  if (meters.length === 0) return []
  const { organizationId } = charter
  // Tenants share a process: one that has used up its steps has its further meters unread, and what asks them fails.
  const budget = decisionBudget()
  const uses = new Map<string, CountedUse & { readonly amounts: (bigint | undefined)[] }>()
  for (const meter of meters) {
    for (const [at, one] of facts.entries()) {
      const use = meter.use(one, budget)
      if (use instanceof Problem) continue
      const { key, amount } = use
      const counted = uses.get(key) ?? {
        id: rowIdOf(organizationId, key),
        organizationId,
        key,
        meter,
        amounts: facts.map(() => undefined),
      }
      counted.amounts[at] = amount
      uses.set(key, counted)
    }
  }
  return [...uses.values()]
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
    const use = uses.find((one) => one.key === key)
    return use && before(use) + totalOf(use) - (use.amounts[at] ?? 0n)
  }
}

/** All that the request uses of it. */
export function totalOf({ amounts }: CountedUse): bigint {
  return amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)
}

function rowIdOf(organizationId: string, key: string): string {
  return hash('sha256', JSON.stringify([organizationId, key]), 'hex')
}

/** Facts of whom a request counts for. */
export function usageFacts(proposerId: string): Facts {
  return { usage: { user: proposerId } }
}
