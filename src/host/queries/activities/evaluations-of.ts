import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { timestamp } from '../../../trusted/charter/view.ts'

/**
 * The outcome of each policy at each vote, in the order of the votes. One evaluation belongs to one vote, so the vote's
 * id names both.
 */
export function evaluationsOf({ organizationId, activityId, evaluations }: ActivityRow) {
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
