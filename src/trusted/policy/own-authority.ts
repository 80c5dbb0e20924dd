import { costs } from '../base/costs.ts'
import type { Steps } from '../base/work.ts'
import type { CompiledPolicy } from './compile-policy.ts'
import { type Consensus, contributes, reachable } from './consensus.ts'
import type { PolicyQuestion } from './decide.ts'
import { type LaterApprovals, laterApprovals } from './later-approvals.ts'
import { peopleFacts } from './people.ts'
import { type Budget, decisionBudget } from './run.ts'
import { timeFacts } from './time.ts'

/**
 * Whether some ALLOW policy that is active and about one of these things counts the voter's approval: it has no consensus,
 * is content with this voter, or could be with more people beside the voter. Approvals of others do not matter.
 */
export function* hasOwnAuthority(questions: readonly PolicyQuestion[]): Steps<boolean> {
  const budget = decisionBudget(questions.length)
  for (const asked of questions) {
    const { approvals, everyone } = asked
    const question = { ...asked, later: asked.later ?? laterApprovals(approvals, everyone) }
    for (const policy of question.policies) {
      const before = budget.steps
      if (counts(policy, question, budget)) return true
      yield costs.policy + (before - budget.steps) * costs.expressionStep
    }
  }
  return false
}

function counts(
  { effect, condition, consensus, time }: CompiledPolicy,
  { facts, voter, later, now, usage }: PolicyQuestion & { readonly later: LaterApprovals },
  budget: Budget,
): boolean {
  if (effect !== 'EFFECT_ALLOW') return false
  if (condition !== undefined && condition.evaluate(facts, budget, usage) !== true) return false
  if (time !== undefined && time.evaluate(timeFacts(now), budget) !== true) return false
  if (consensus === undefined || isContentWith(consensus, voter, budget)) return true
  return contributes(consensus, voter, budget) && reachable(consensus, later, budget)
}

function isContentWith(consensus: Consensus, voter: PolicyQuestion['voter'], budget: Budget): boolean {
  return consensus.evaluate(peopleFacts([voter]), budget) === true
}
