import type { CompiledPolicy } from './compile-policy.ts'
import { contributes, reachable } from './consensus.ts'
import { eligibleVoters } from './eligible-voters.ts'
import { type Approval, peopleFacts } from './people.ts'
import type { Facts } from './types.ts'
import { Problem } from './values.ts'

export type PolicyOutcome =
  | 'OUTCOME_ALLOW'
  | 'OUTCOME_DENY_EXPLICIT'
  | 'OUTCOME_DENY_IMPLICIT'
  | 'OUTCOME_REQUIRES_CONSENSUS'
  | 'OUTCOME_ERROR'

/** `none`: no policy has anything to say for it, which denies unless something other than a policy allows. */
export type PolicyDecision = 'allow' | 'deny' | 'consensus' | 'none'

export type PolicyQuestion = {
  readonly policies: readonly CompiledPolicy[]
  readonly facts: Facts
  /** All who approve so far, the voter among them: submitting is approving. */
  readonly approvals: readonly Approval[]
  /** Who acts now: submits or approves. */
  readonly voter: Approval
  /** All who could approve, each with all credentials. */
  readonly everyone: readonly Approval[]
}

export type PolicyAnswer = {
  /** One for each policy, in their order. */
  readonly evaluations: readonly { readonly policyId: string; readonly outcome: PolicyOutcome }[]
  readonly decision: PolicyDecision
  readonly deniedBy: readonly string[]
  /** Who has not approved and could usefully; none when it is decided. */
  readonly eligibleVoters: readonly string[]
}

/** Asks every policy. Any that denies decides; else any that allows; else any that waits for more approvals. */
export function decidePolicies(question: PolicyQuestion): PolicyAnswer {
  const people = peopleFacts(question.approvals)
  const evaluations = question.policies.map((policy) => {
    return { policyId: policy.policyId, outcome: outcomeOf(policy, question, people) }
  })
  const idsOf = (wanted: PolicyOutcome): readonly string[] =>
    evaluations.flatMap(({ policyId, outcome }) => (outcome === wanted ? [policyId] : []))
  const deniedBy = idsOf('OUTCOME_DENY_EXPLICIT')
  const decision = decisionOf(evaluations, deniedBy)
  const isOpen = decision === 'consensus' || decision === 'none'
  return { evaluations, decision, deniedBy, eligibleVoters: isOpen ? eligibleVoters(question) : [] }
}

function outcomeOf(policy: CompiledPolicy, question: PolicyQuestion, people: Facts): PolicyOutcome {
  // The condition says whether the policy is about this activity at all; if not, its consensus is not asked.
  const condition = policy.condition?.evaluate(question.facts) ?? true
  if (condition instanceof Problem) return outcomeOfProblem(policy, condition)
  if (!condition) return 'OUTCOME_DENY_IMPLICIT'
  const consensus = policy.consensus?.evaluate(people) ?? true
  if (consensus instanceof Problem) return outcomeOfProblem(policy, consensus)
  if (consensus) return policy.effect === 'EFFECT_ALLOW' ? 'OUTCOME_ALLOW' : 'OUTCOME_DENY_EXPLICIT'
  return waits(policy, question) ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
}

/** A DENY policy that cannot be evaluated denies, unless it is about something that this activity does not have. */
function outcomeOfProblem({ effect }: CompiledPolicy, { kind }: Problem): PolicyOutcome {
  return effect === 'EFFECT_DENY' && kind === 'failed' ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_ERROR'
}

/** Only an activity that its submitter has some say in may wait for others; whoever has none is refused at once. */
function waits(
  { effect, consensus }: CompiledPolicy,
  { approvals, voter, everyone }: PolicyQuestion,
): boolean {
  if (effect !== 'EFFECT_ALLOW' || consensus === undefined) return false
  return contributes(consensus, voter) && reachable(consensus, approvals, everyone)
}

function decisionOf(evaluations: PolicyAnswer['evaluations'], deniedBy: readonly string[]): PolicyDecision {
  if (deniedBy.length > 0) return 'deny'
  if (evaluations.some(({ outcome }) => outcome === 'OUTCOME_ALLOW')) return 'allow'
  return evaluations.some(({ outcome }) => outcome === 'OUTCOME_REQUIRES_CONSENSUS') ? 'consensus' : 'none'
}
