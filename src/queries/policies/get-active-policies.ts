import type { Ms } from '../../base/world.ts'
import { defineQuery } from '../../catalogue/query.ts'
import { boolean, list, object, optional, organizationIdText, text, uuid } from '../../catalogue/shape.ts'
import type { Policy } from '../../charter/charter.ts'
import { limits } from '../../charter/limits.ts'
import { compilePolicy } from '../../policy/compile-policy.ts'
import { timeFacts } from '../../policy/time.ts'
import { Problem } from '../../policy/values.ts'

const status = object({
  organizationId: uuid,
  policyId: uuid,
  active: boolean,
  timeExpr: optional(text({ max: 65_536 })),
  error: optional(text({ max: 65_536 })),
})

/** Which policies speak at this moment, as far as their `time` says; what else they ask for is another matter. */
export const getActivePolicies = defineQuery({
  operation: 'get_active_policies',
  summary: 'Tell of each policy whether its time says that it is active now',
  request: object({ organizationId: organizationIdText }),
  response: object({
    statuses: list(status, { max: limits.policies }),
    evaluatedAtMs: text({ max: 20 }),
  }),
  answer: (_, { charter: { organizationId, policies }, now }) => ({
    statuses: policies.map((policy) => ({
      organizationId,
      policyId: policy.policyId,
      ...statusOf(policy, now),
    })),
    evaluatedAtMs: String(now),
  }),
})

function statusOf({ policyId, effect, time }: Policy, now: Ms) {
  const expression = compilePolicy({ policyId, effect, time }, {}).time
  if (expression === undefined) return { active: true }
  const active = expression.evaluate(timeFacts(now))
  const timeExpr = expression.text
  return active instanceof Problem ? { active: false, timeExpr, error: active.reason } : { active, timeExpr }
}
