import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { timestampShape } from '../shapes.ts'
import { evaluationsOf } from './evaluations-of.ts'
import { knownActivity } from './known-activity.ts'

const outcomes = list(object({ policyId: uuid, outcome: text({ max: 64 }) }), { max: limits.policies })

const evaluation = object({
  id: uuid,
  activityId: uuid,
  organizationId: uuid,
  voteId: uuid,
  policyEvaluations: outcomes,
  createdAt: timestampShape,
})

export const getPolicyEvaluations = defineQuery({
  operation: 'get_policy_evaluations',
  summary: 'List the outcome of each policy at each vote on an activity',
  request: object({ organizationId: organizationIdText, activityId: uuid }),
  response: object({ policyEvaluations: list(evaluation, { max: Number.MAX_SAFE_INTEGER }) }),
  example: { activityId: '0198c5a0-7d3c-7000-8000-000000000009' },
  long: 'record',
  answer: async ({ activityId }, reader) => {
    const row = await knownActivity(reader, activityId)
    return { policyEvaluations: evaluationsOf(row) }
  },
})
