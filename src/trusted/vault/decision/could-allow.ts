import { costs } from '../../base/costs.ts'
import { finished, SLICE, type Units } from '../../base/work.ts'
import { kindOf } from '../../catalogue/form.ts'
import type { Submission } from '../../catalogue/submission.ts'
import { isRoot } from '../../charter/charter.ts'
import type { CompiledPolicy } from '../../policy/compile-policy.ts'
import { contributes } from '../../policy/consensus.ts'
import { anything, fields, oneOf, type AbstractFacts } from '../../policy/lint/abstract-request.ts'
import { type Approval, peopleFacts } from '../../policy/people.ts'
import type { Budget } from '../../policy/run.ts'
import { askedOf, mayAloneAsOwner } from '../authentication/asked-of.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { isRecoverySet } from '../recovery/recovery-set.ts'

/** No rule could allow the request, whatever its content: it is denied before more is spent on it. */
export class NothingAllows extends Error {
  override readonly name = 'NothingAllows'
}

/**
 * Whether any rule could allow this request to this user, judged by its kind and the user only, before expensive parts
 * of it are read. It may return true for a request that is denied later, but never false for one that could be allowed.
 * It is asked in the middle of other work, and so takes no longer than a slice: where policies are too long for that,
 * it returns true.
 *
 * @returns  the answer, and what it has cost
 */
export function couldAllow(
  compiled: CompiledCharter,
  voter: Approval,
  submission: Submission,
): { readonly could: boolean; readonly cost: Units } {
  const budgets = { nodes: { steps: NODES_MAX }, people: { steps: STEPS_MAX } }
  const could = couldBeAllowed(compiled, voter, submission, budgets)
  const nodes = NODES_MAX - Math.max(0, budgets.nodes.steps)
  return {
    could,
    cost: nodes * costs.abstractNode + (STEPS_MAX - budgets.people.steps) * costs.expressionStep,
  }
}

type Budgets = {
  /** For conditions, on an abstract request. */
  readonly nodes: Budget
  /** For consensus. */
  readonly people: Budget
}

const NODES_MAX = SLICE / 2 / costs.abstractNode
const STEPS_MAX = SLICE / 2 / costs.expressionStep

function couldBeAllowed(
  { charter, policies }: CompiledCharter,
  voter: Approval,
  submission: Submission,
  budgets: Budgets,
): boolean {
  const { activity, newest } = submission
  const { authority } = activity
  const { id } = voter.user
  if (isRecoverySet(voter)) return askedOf({ activity, intent: newest }) === 'recoverySet'
  if (isRoot(charter, id)) return true
  if (authority.kind === 'rootQuorum') return false
  if (mayAloneAsOwner(activity, newest, voter)) return true
  const facts = knownFacts(submission)
  return policies.some((policy) => couldCount(policy, facts, voter, budgets))
}

/** The facts that are known without reading: the kind of activity, and its keywords. */
function knownFacts({ activity, type }: Submission): AbstractFacts {
  const { resource, action } = activity
  const names = ['usage', ...Object.keys(activity.namespaces ?? {})]
  return {
    ...Object.fromEntries(names.map((name) => [name, anything])),
    activity: fields({
      type: oneOf(type),
      kind: oneOf(kindOf(type)),
      resource: oneOf(resource),
      action: oneOf(action),
      organization_id: anything,
      params: anything,
    }),
  }
}

function couldCount(
  { effect, condition, consensus }: CompiledPolicy,
  facts: AbstractFacts,
  voter: Approval,
  { nodes, people }: Budgets,
): boolean {
  if (effect !== 'EFFECT_ALLOW') return false
  // Who approves is known, so this is cheaper to find out than what an activity could be about.
  const counts =
    consensus === undefined ||
    finished(contributes(consensus, voter, people)) ||
    consensus.evaluate(peopleFacts([voter]), people) !== false
  return counts && condition?.couldHold(facts, nodes) !== false
}
