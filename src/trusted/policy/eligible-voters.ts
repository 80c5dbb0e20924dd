import { costs } from '../base/costs.ts'
import { finished, type Steps } from '../base/work.ts'
import type { CompiledPolicy } from './compile-policy.ts'
import { canBeLost, type Consensus, contributes, isLost, reachable } from './consensus.ts'
import type { PolicyQuestion } from './decide.ts'
import { type Budget, decisionBudget, type Usage } from './run.ts'
import { type LaterApprovals, laterApprovals, notAmong } from './later-approvals.ts'
import { timeFacts } from './time.ts'
import type { Facts } from './types.ts'

/**
 * Ids of the users who could still vote: they have not approved, and some ALLOW policy that is active and about this
 * activity asks for their approval. `decidePolicies` would accept their votes. Meant for an activity that waits.
 */
export function eligibleVoters(question: Omit<PolicyQuestion, 'voter'>): readonly string[] {
  return finished(eligibleVoterSteps(question))
}

/** The same in steps. */
export function* eligibleVoterSteps(question: Omit<PolicyQuestion, 'voter'>): Steps<readonly string[]> {
  const { policies, facts, approvals, everyone, now, usage } = question
  const budget = decisionBudget()
  /** A separate one: when it is used up, a vote that would be turned away is asked for, and none is left out. */
  const lostBudget = decisionBudget()
  const { later = laterApprovals(approvals, everyone) } = question
  const people = later.first()
  const waiting: Consensus[] = []
  const left = (): number => budget.steps + lostBudget.steps
  let before = left()
  for (const policy of policies) {
    if ((policy.time?.evaluate(timeFacts(now), budget) ?? true) === true)
      waiting.push(...waitingConsensus(policy, { facts, people, later, budget, usage }))
    yield costs.policy + (before - left()) * costs.expressionStep
    before = left()
  }
  const approvers = [...new Map(approvals.map(({ user }) => [user.id, user])).values()]
  const eligible: string[] = []
  for (const voter of notAmong(approvals, everyone)) {
    // What can be lost is not about credentials, so those of the voter are left out.
    const withVote: Facts = { ...people, approvers: [...approvers, voter.user] }
    const counts = (consensus: Consensus): boolean =>
      contributes(consensus, voter, budget) &&
      !(canBeLost(consensus) && isLost(consensus, withVote, lostBudget))
    if (waiting.some(counts)) eligible.push(voter.user.id)
    yield costs.policy + (before - left()) * costs.expressionStep
    before = left()
  }
  return eligible
}

type Asked = {
  readonly facts: Facts
  readonly people: Facts
  readonly later: LaterApprovals
  readonly budget: Budget
  readonly usage: Usage | undefined
}

function waitingConsensus(
  { effect, condition, consensus }: CompiledPolicy,
  { facts, people, later, budget, usage }: Asked,
): readonly Consensus[] {
  if (effect !== 'EFFECT_ALLOW' || consensus === undefined) return []
  if (condition !== undefined && condition.evaluate(facts, budget, usage) !== true) return []
  if (consensus.evaluate(people, budget) !== false) return []
  return reachable(consensus, later, budget) ? [consensus] : []
}
