import { costs } from '../../base/costs.ts'
import type { Steps } from '../../base/work.ts'
import { decisionBudget } from '../../policy/run.ts'
import type { Facts } from '../../policy/types.ts'
import { Problem } from '../../policy/problem.ts'
import { scopeNotEvaluated } from '../failures.ts'
import type { Identity } from './identify.ts'

/**
 * A limited session may make only requests for which its scope is true. Other credentials have all rights of their
 * user.
 */
export function* isInScope({ scope }: Identity, facts: readonly Facts[]): Steps<boolean> {
  if (scope === undefined) return true
  const expression = scope()
  const budget = decisionBudget(facts.length)
  for (const fact of facts) {
    const before = budget.steps
    const value = expression?.evaluate(fact, budget)
    if (value === undefined || value instanceof Problem) throw scopeNotEvaluated()
    if (!value) return false
    yield (before - budget.steps) * costs.expressionStep
  }
  return true
}
