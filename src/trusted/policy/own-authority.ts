import { costs } from '../base/costs.ts'
import type { Steps } from '../base/work.ts'
import type { CompiledPolicy } from './compile-policy.ts'
import { type Consensus, contributes, reachable } from './consensus.ts'
import type { PolicyQuestion } from './decide.ts'
import { type LaterApprovals, laterApprovals } from './later-approvals.ts'
import { peopleFacts } from './people.ts'
import { type Budget, decisionBudget, spending } from './run.ts'
import { timeFacts } from './time.ts'

/**
 * Whether some ALLOW policy that is active and about one of these things counts the voter's approval: it has no
 * consensus, is content with this voter, or could be with more people beside the voter. Approvals of others do not
 * matter.
 */
export function* hasOwnAuthority(questions: readonly PolicyQuestion[]): Steps<boolean> {
  const budget = decisionBudget(questions.length)
  for (const asked of questions) {
    const { approvals, everyone } = asked
    const question = { ...asked, later: asked.later ?? laterApprovals(approvals, everyone) }
    for (const policy of question.policies) {
      if (yield* counts(policy, question, budget)) return true
    }
  }
  return false
}

function* counts(
  { effect, condition, consensus, time }: CompiledPolicy,
  { facts, voter, later, now, usage }: PolicyQuestion & { readonly later: LaterApprovals },
  budget: Budget,
): Steps<boolean> {
  const isAllow = effect === 'EFFECT_ALLOW'
  const spent = spending(budget)
  const isAbout = isAllow && (condition === undefined || condition.evaluate(facts, budget, usage) === true)
  const isActive = isAbout && (time === undefined || time.evaluate(timeFacts(now), budget) === true)
  const isContent = isActive && (consensus === undefined || isContentWith(consensus, voter, budget))
  yield costs.policy + spent()
  if (isContent || !isActive || consensus === undefined) return isContent
  return (yield* contributes(consensus, voter, budget)) && (yield* reachable(consensus, later, budget))
}

function isContentWith(consensus: Consensus, voter: PolicyQuestion['voter'], budget: Budget): boolean {
  return consensus.evaluate(peopleFacts([voter]), budget) === true
}
