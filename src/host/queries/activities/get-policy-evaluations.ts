import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { timestampShape } from '../shapes.ts'
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
  answer: async ({ activityId }, reader) => {
    const row = await knownActivity(reader, activityId)
    return { policyEvaluations: evaluationsOf(row) }
  },
})

/** One evaluation belongs to one vote, so the vote's id names both. */
function evaluationsOf({ organizationId, activityId, evaluations }: ActivityRow) {
  // The vault wrote this list, and its seal over the record has been checked.
  const kept = JSON.parse(evaluations) as readonly KeptEvaluation[]
  return kept.map(({ voteId, createdAt, policyEvaluations }) => ({
    id: voteId,
    activityId,
    organizationId,
    voteId,
    policyEvaluations,
    createdAt: timestamp(createdAt),
  }))
}

type KeptEvaluation = {
  readonly voteId: string
  readonly createdAt: number
  readonly policyEvaluations: readonly { readonly policyId: string; readonly outcome: string }[]
}
