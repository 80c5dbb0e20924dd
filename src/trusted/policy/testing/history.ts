import fc from 'fast-check'
import { decisionBudget, type Usage } from '../run.ts'
import type { Meter } from '../meters.ts'
import type { Facts } from '../types.ts'
import { Problem } from '../problem.ts'
import { anyFacts } from './arbitrary.ts'

/** Activities that were carried out before, within every window. */
export const anyPast: fc.Arbitrary<readonly Facts[]> = fc.array(anyFacts, { maxLength: 3 })

/** The usage that a store would have counted of them. */
export function usageOf(meters: readonly Meter[], past: readonly Facts[]): Usage {
  const used = new Map<string, bigint>()
  for (const meter of meters) {
    for (const facts of past) {
      const use = meter.use(facts, decisionBudget())
      if (use instanceof Problem) continue
      used.set(use.key, (used.get(use.key) ?? 0n) + use.amount)
    }
  }
  return (key) => used.get(key) ?? 0n
}
