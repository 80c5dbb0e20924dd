import { costs } from '../../../trusted/base/costs.ts'
import type { Steps } from '../../../trusted/base/work.ts'
import type { Ms } from '../../../trusted/base/world.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import {
  boolean,
  list,
  object,
  optional,
  organizationIdText,
  text,
  type TypeOf,
  uuid,
} from '../../../trusted/catalogue/shape.ts'
import type { Charter } from '../../../trusted/charter/charter.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { charactersOf, compilePolicy } from '../../../trusted/policy/compile-policy.ts'
import type { Expression } from '../../../trusted/policy/expression.ts'
import { type Budget, decisionBudget } from '../../../trusted/policy/run.ts'
import { timeFacts } from '../../../trusted/policy/time.ts'
import { Problem } from '../../../trusted/policy/problem.ts'

const status = object({
  organizationId: uuid,
  policyId: uuid,
  active: boolean,
  timeExpr: optional(text({ max: 65_536 })),
  error: optional(text({ max: 65_536 })),
})

/** The policies that are active at this moment by their `time`; their conditions are not evaluated. */
export const getActivePolicies = defineQuery({
  operation: 'get_active_policies',
  summary: 'List every policy, and whether its `time` makes it active now',
  request: object({ organizationId: organizationIdText }),
  response: object({
    statuses: list(status, { max: limits.policies }),
    evaluatedAtMs: text({ max: 20 }),
  }),
  example: {},
  answer: async (_, { charter, now, through }) => ({
    statuses: await through(statusSteps(charter, now)),
    evaluatedAtMs: String(now),
  }),
})

/** All policies share the budget of steps of one decision, so a result here fails where a decision would. */
export function* statusSteps(
  { organizationId, policies }: Pick<Charter, 'organizationId' | 'policies'>,
  now: Ms,
): Steps<readonly TypeOf<typeof status>[]> {
  const budget = decisionBudget()
  const statuses: TypeOf<typeof status>[] = []
  for (const { policyId, effect, time } of policies) {
    yield charactersOf({ time }) * costs.expressionCharacter
    const before = budget.steps
    const expression = compilePolicy({ policyId, effect, time }, {}).time
    statuses.push({ organizationId, policyId, ...statusOf(expression, now, budget) })
    yield costs.policy + (before - budget.steps) * costs.expressionStep
  }
  return statuses
}

function statusOf(time: Expression | undefined, now: Ms, budget: Budget) {
  if (time === undefined) return { active: true }
  const active = time.evaluate(timeFacts(now), budget)
  const timeExpr = time.text
  return active instanceof Problem ? { active: false, timeExpr, error: active.reason } : { active, timeExpr }
}
