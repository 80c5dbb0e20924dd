import type { TypeOf } from '../../../trusted/catalogue/shape.ts'
import type { Explanation } from '../../../trusted/policy/explain.ts'
import type { judgementShape } from '../../queries/rehearsals/shapes.ts'
import { explanationText } from './explanation-text.ts'
import { aligned, printable } from './printable.ts'

type ToldJudgement = TypeOf<typeof judgementShape>

/** The outcome, and the policy that decides it. */
export function judgementText(
  judgement: ToldJudgement,
  nameOf: (policyId: string) => string,
): readonly string[] {
  const { policyEvaluations, voters } = judgement
  // The vault made them, and the query passes them on unchanged.
  const explanations = judgement.explanations as readonly Explanation[]
  const each = explanations.flatMap((explanation, at) => [
    ...(explanations.length === 1
      ? []
      : ['', `Of what it does, number ${at + 1} of ${explanations.length}:`]),
    ...explanationText(explanation, nameOf),
  ])
  const outcomes = policyEvaluations.map(({ policyId, outcome }) => [`  ${outcome}`, nameOf(policyId)])
  return [
    decisionText(judgement, nameOf),
    ...voters.map((userId) => `  the approval of ${printable(userId)} would count`),
    ...(each.length === 0 ? aligned(outcomes) : each),
  ]
}

export function decisionText(
  { decision, asked, deniedBy }: ToldJudgement,
  nameOf: (policyId: string) => string,
): string {
  if (decision === 'allow') return asked ? 'allowed' : 'allowed: by the root quorum, without a policy'
  if (decision === 'wait') return 'waits for approvals'
  if (deniedBy.length > 0) return `refused: denied by ${deniedBy.map(nameOf).join(', ')}`
  return asked ? 'refused: no policy allows it' : 'refused: users may request this only for themselves'
}
