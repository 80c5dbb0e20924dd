import type { CompiledPolicy } from './compile-policy.ts'
import { contributes, reachable } from './consensus.ts'
import { type Moments, momentsOf } from './moments.ts'
import { type Approval, peopleFacts } from './people.ts'
import { type Budget, decisionBudget } from './run.ts'
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
}

/** Asks every policy. Any that denies decides; else any that allows; else any that waits for more approvals. */
export function decidePolicies(question: PolicyQuestion): PolicyAnswer {
  const hearing = hearingOf(question)
  const evaluations = question.policies.map((policy) => {
    return { policyId: policy.policyId, outcome: outcomeOf(policy, hearing) }
  })
  const deniedBy = evaluations
    .filter(({ outcome }) => outcome === 'OUTCOME_DENY_EXPLICIT')
    .map(({ policyId }) => policyId)
  return { evaluations, decision: decisionOf(evaluations, deniedBy), deniedBy }
}

/** What all policies of one question share. */
type Hearing = {
  readonly facts: Facts
  readonly people: Facts
  readonly voter: Approval
  readonly moments: Moments
  readonly budget: Budget
  /** Apart, so that asking who may still come never takes the steps of a DENY or ALLOW policy. */
  readonly waitingBudget: Budget
}

function hearingOf({ facts, approvals, voter, everyone }: PolicyQuestion): Hearing {
  return {
    facts,
    people: peopleFacts(approvals),
    voter,
    moments: momentsOf(approvals, everyone),
    budget: decisionBudget(),
    waitingBudget: decisionBudget(),
  }
}

function outcomeOf(policy: CompiledPolicy, hearing: Hearing): PolicyOutcome {
  // The condition says whether the policy is about this activity at all; if not, its consensus is not asked.
  const condition = policy.condition?.evaluate(hearing.facts, hearing.budget) ?? true
  if (condition instanceof Problem) return outcomeOfProblem(policy, condition)
  if (!condition) return 'OUTCOME_DENY_IMPLICIT'
  const consensus = policy.consensus?.evaluate(hearing.people, hearing.budget) ?? true
  if (consensus instanceof Problem) return outcomeOfProblem(policy, consensus)
  if (consensus) return policy.effect === 'EFFECT_ALLOW' ? 'OUTCOME_ALLOW' : 'OUTCOME_DENY_EXPLICIT'
  return waits(policy, hearing) ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
}

/** A DENY policy that cannot be evaluated denies, unless it is about something that this activity does not have. */
function outcomeOfProblem({ effect }: CompiledPolicy, { kind }: Problem): PolicyOutcome {
  return effect === 'EFFECT_DENY' && kind === 'failed' ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_ERROR'
}

/** Only an activity that its submitter has some say in may wait for others; whoever has none is refused at once. */
function waits({ effect, consensus }: CompiledPolicy, { voter, moments, waitingBudget }: Hearing): boolean {
  if (effect !== 'EFFECT_ALLOW' || consensus === undefined) return false
  return contributes(consensus, voter, waitingBudget) && reachable(consensus, moments, waitingBudget)
}

function decisionOf(evaluations: PolicyAnswer['evaluations'], deniedBy: readonly string[]): PolicyDecision {
  if (deniedBy.length > 0) return 'deny'
  if (evaluations.some(({ outcome }) => outcome === 'OUTCOME_ALLOW')) return 'allow'
  return evaluations.some(({ outcome }) => outcome === 'OUTCOME_REQUIRES_CONSENSUS') ? 'consensus' : 'none'
}
