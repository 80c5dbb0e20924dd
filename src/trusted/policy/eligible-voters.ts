import { costs } from '../base/costs.ts'
import { finished, type Steps } from '../base/work.ts'
import type { CompiledPolicy } from './compile-policy.ts'
import { canBeLost, type Consensus, contributes, isLost, reachable } from './consensus.ts'
import type { PolicyQuestion } from './decide.ts'
import { type Budget, decisionBudget, spending, type Usage } from './run.ts'
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
  const waiting: Waiting[] = []
  for (const policy of policies) {
    yield costs.policy
    waiting.push(...(yield* waitingConsensus(policy, { facts, people, later, budget, now, usage })))
  }
  const approvers = [...new Map(approvals.map(({ user }) => [user.id, user])).values()]
  const eligible: string[] = []
  for (const voter of notAmong(approvals, everyone)) {
    // What can be lost is not about credentials, so those of the voter are left out.
    const withVote: Facts = { ...people, approvers: [...approvers, voter.user] }
    for (const { consensus, isLosable } of waiting) {
      yield costs.policy
      if (!(yield* contributes(consensus, voter, budget))) continue
      if (isLosable && (yield* isLost(consensus, withVote, lostBudget))) continue
      eligible.push(voter.user.id)
      break
    }
  }
  return eligible
}

/** A consensus that waits for approvals, and whether one of them could lose it. */
type Waiting = { readonly consensus: Consensus; readonly isLosable: boolean }

type Asked = {
  readonly facts: Facts
  readonly people: Facts
  readonly later: LaterApprovals
  readonly budget: Budget
  readonly now: number
  readonly usage: Usage | undefined
}

function* waitingConsensus(
  { effect, condition, consensus, time }: CompiledPolicy,
  { facts, people, later, budget, now, usage }: Asked,
): Steps<readonly Waiting[]> {
  if (effect !== 'EFFECT_ALLOW' || consensus === undefined) return []
  const spent = spending(budget)
  const isActive = time === undefined || time.evaluate(timeFacts(now), budget) === true
  const isAbout = isActive && (condition === undefined || condition.evaluate(facts, budget, usage) === true)
  const isOpen = isAbout && consensus.evaluate(people, budget) === false
  yield spent()
  if (!isOpen || !(yield* reachable(consensus, later, budget))) return []
  return [{ consensus, isLosable: canBeLost(consensus) }]
}
