import { costs } from '../base/costs.ts'
import { finished, type Steps } from '../base/work.ts'
import type { CompiledPolicy } from './compile-policy.ts'
import { reachable, someContributes } from './consensus.ts'
import { type Budget, decisionBudget, spending, type Usage } from './run.ts'
import { type LaterApprovals, laterApprovals } from './later-approvals.ts'
import type { Approval } from './people.ts'
import { timeFacts } from './time.ts'
import type { Facts } from './types.ts'
import { Problem } from './problem.ts'

export type PolicyOutcome =
  | 'OUTCOME_ALLOW'
  | 'OUTCOME_DENY_EXPLICIT'
  | 'OUTCOME_DENY_IMPLICIT'
  | 'OUTCOME_REQUIRES_CONSENSUS'
  | 'OUTCOME_ERROR'
  | 'OUTCOME_TIME_INACTIVE'

/** `none`: no policy has anything to say for it, which denies unless something other than a policy allows. */
export type PolicyDecision = 'allow' | 'deny' | 'consensus' | 'none'

export type PolicyQuestion = {
  readonly policies: readonly CompiledPolicy[]
  readonly facts: Facts
  /** All who approve so far, the voter among them: submitting is approving. */
  readonly approvals: readonly Approval[]
  /** The user who acts: submits or approves. */
  readonly voter: Approval
  /** Those of whom one must have a say, where the activity is to wait for others; only the voter when absent. */
  readonly contributors?: readonly Approval[] | undefined
  /** All who could approve, each with all credentials. */
  readonly everyone: readonly Approval[]
  /** Those who may come to approve, shared by the questions of one request; made of the two above when absent. */
  readonly later?: LaterApprovals | undefined
  /**
   * Whether the activity is about the voter's own credentials: then the voter has a say in it, whatever the consensus.
   */
  readonly isOwn?: boolean
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  /** The earlier use, for policies with limits; without it they fail. */
  readonly usage?: Usage | undefined
  /** Shared by the questions of one request; this question's own when absent. */
  readonly budgets?: Budgets | undefined
}

type Budgets = {
  readonly budget: Budget
  /**
   * A separate budget for finding possible further approvers, so that it never takes the steps of a DENY or ALLOW
   * policy.
   */
  readonly waitingBudget: Budget
}

export function budgetsFor(things: number): Budgets {
  return { budget: decisionBudget(things), waitingBudget: decisionBudget(things) }
}

export type PolicyAnswer = {
  /** One for each policy, in their order. */
  readonly evaluations: readonly { readonly policyId: string; readonly outcome: PolicyOutcome }[]
  readonly decision: PolicyDecision
  readonly deniedBy: readonly string[]
}

/** Asks every policy. Any that denies decides; else any that allows; else any that waits for more approvals. */
export function decidePolicies(question: PolicyQuestion): PolicyAnswer {
  return finished(decisionSteps(question))
}

/**
 * The same in steps. The cost of a policy is known once it has been asked. Its condition, its consensus and its time
 * take `STEPS_MAX` each at most; whether it waits is asked part by part.
 */
export function* decisionSteps(question: PolicyQuestion): Steps<PolicyAnswer> {
  const context = policyContextOf(question)
  const evaluations: PolicyAnswer['evaluations'][number][] = []
  const spent = spending(context.budget)
  for (const policy of question.policies) {
    evaluations.push({ policyId: policy.policyId, outcome: yield* outcomeOf(policy, context) })
    const meters = policy.condition?.meters.length ?? 0
    yield costs.policy + meters * costs.usage + spent()
  }
  const deniedBy = evaluations
    .filter(({ outcome }) => outcome === 'OUTCOME_DENY_EXPLICIT')
    .map(({ policyId }) => policyId)
  return { evaluations, decision: decisionOf(evaluations, deniedBy), deniedBy }
}

/** The values that all policies of one question share. */
type PolicyContext = Budgets & {
  readonly facts: Facts
  readonly people: Facts
  readonly contributors: readonly Approval[]
  readonly isOwn: boolean
  readonly later: LaterApprovals
  readonly now: number
  readonly usage: Usage | undefined
}

function policyContextOf(question: PolicyQuestion): PolicyContext {
  const { facts, approvals, voter, everyone, isOwn = false, now, usage, budgets = budgetsFor(1) } = question
  const { later = laterApprovals(approvals, everyone), contributors = [voter] } = question
  return {
    facts,
    people: later.first(),
    contributors,
    isOwn,
    later,
    now,
    usage,
    ...budgets,
  }
}

function* outcomeOf(policy: CompiledPolicy, context: PolicyContext): Steps<PolicyOutcome> {
  // The condition says whether the policy is about this activity at all; if not, its consensus is not asked.
  const condition = policy.condition?.evaluate(context.facts, context.budget, context.usage) ?? true
  if (condition instanceof Problem) return outcomeOfProblem(policy, condition, context)
  if (!condition) return 'OUTCOME_DENY_IMPLICIT'
  const consensus = policy.consensus?.evaluate(context.people, context.budget) ?? true
  const isProblem = consensus instanceof Problem
  if ((isProblem ? context.isOwn : !consensus) && (yield* waits(policy, context)))
    return 'OUTCOME_REQUIRES_CONSENSUS'
  if (isProblem) return outcomeOfProblem(policy, consensus, context)
  if (!consensus) return 'OUTCOME_DENY_IMPLICIT'
  const active = isActive(policy, context)
  if (active instanceof Problem) return outcomeOfProblem(policy, active, context)
  if (!active) return 'OUTCOME_TIME_INACTIVE'
  return policy.effect === 'EFFECT_ALLOW' ? 'OUTCOME_ALLOW' : 'OUTCOME_DENY_EXPLICIT'
}

function isActive({ time }: CompiledPolicy, { now, budget }: PolicyContext): boolean | Problem {
  return time?.evaluate(timeFacts(now), budget) ?? true
}

/**
 * A DENY policy that cannot be evaluated denies, unless it is about something that this activity does not have, or is
 * not active now.
 */
function outcomeOfProblem(policy: CompiledPolicy, { kind }: Problem, context: PolicyContext): PolicyOutcome {
  if (policy.effect !== 'EFFECT_DENY' || kind !== 'failed') return 'OUTCOME_ERROR'
  return isActive(policy, context) === false ? 'OUTCOME_ERROR' : 'OUTCOME_DENY_EXPLICIT'
}

/**
 * An activity may wait for others only when a user who approves has some say in it; otherwise it is refused at once.
 * What a user could do alone to their own credentials waits also where nobody can satisfy the policy, or where its
 * consensus has no value, for the root quorum: a policy for somebody who was deleted since must not give that right
 * back.
 */
function* waits(policy: CompiledPolicy, context: PolicyContext): Steps<boolean> {
  const { effect, consensus } = policy
  const { contributors, isOwn, later, waitingBudget } = context
  if (effect !== 'EFFECT_ALLOW' || consensus === undefined || isActive(policy, context) !== true) return false
  if (isOwn) return true
  const hasSay = yield* someContributes(consensus, contributors, waitingBudget)
  return hasSay && (yield* reachable(consensus, later, waitingBudget))
}

function decisionOf(evaluations: PolicyAnswer['evaluations'], deniedBy: readonly string[]): PolicyDecision {
  if (deniedBy.length > 0) return 'deny'
  if (evaluations.some(({ outcome }) => outcome === 'OUTCOME_ALLOW')) return 'allow'
  return evaluations.some(({ outcome }) => outcome === 'OUTCOME_REQUIRES_CONSENSUS') ? 'consensus' : 'none'
}
