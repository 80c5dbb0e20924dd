import type { CompiledPolicy } from './compile-policy.ts'
import { type Consensus, contributes, reachable } from './consensus.ts'
import type { PolicyQuestion } from './decide.ts'
import { peopleFacts } from './people.ts'

/**
 * Ids of the users who have not approved and whose approval some ALLOW policy about this activity asks for: exactly
 * those whose vote `decidePolicies` would not turn away. Meant for an activity that waits.
 */
export function eligibleVoters(question: Omit<PolicyQuestion, 'voter'>): readonly string[] {
  const waiting = question.policies.flatMap((policy) => waitingConsensus(policy, question))
  const approved = new Set(question.approvals.map(({ user }) => user.id))
  return question.everyone
    .filter(
      (voter) => !approved.has(voter.user.id) && waiting.some((consensus) => contributes(consensus, voter)),
    )
    .map(({ user }) => user.id)
}

function waitingConsensus(
  { effect, condition, consensus }: CompiledPolicy,
  { facts, approvals, everyone }: Omit<PolicyQuestion, 'voter'>,
): readonly Consensus[] {
  if (effect !== 'EFFECT_ALLOW' || consensus === undefined) return []
  if (condition !== undefined && condition.evaluate(facts) !== true) return []
  if (consensus.evaluate(peopleFacts(approvals)) !== false) return []
  return reachable(consensus, approvals, everyone) ? [consensus] : []
}
