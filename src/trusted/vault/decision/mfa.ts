import type { AuthenticationMethod, MfaPolicy, User } from '../../charter/charter.ts'
import { costs } from '../../base/costs.ts'
import type { Steps } from '../../base/work.ts'
import type { Expression } from '../../policy/expression.ts'
import { Problem } from '../../policy/problem.ts'
import { type Budget, decisionBudget } from '../../policy/run.ts'
import type { Facts } from '../../policy/types.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { distinctProofs, type Proof, proves } from '../seals/proof.ts'

/** The MFA policy that applied to the voter, its required steps, and the proofs so far. */
export type MfaNote = {
  readonly userId: string
  readonly mfaPolicyId: string
  readonly satisfied: boolean
  readonly shown: readonly AuthenticationMethod[]
  readonly required: MfaPolicy['required']
}

/**
 * The user's policies that a request asks for: for each of its actions the first, in their order, whose condition is
 * true. A condition that cannot be evaluated decides nothing: its policy is asked for, and so is one after it.
 * Otherwise the sender of a request could choose a weak policy by an action beside the one that matters, or by content
 * on which its condition fails. A condition about something that such an activity does not have is false.
 */
function* mfaPoliciesFor(user: User, facts: readonly Facts[], { mfaCondition }: Conditions): Steps<Asked> {
  const budget = decisionBudget(facts.length)
  const asked: MfaPolicy[] = []
  let undecided = facts
  for (const policy of user.mfaPolicies.toSorted((a, b) => a.order - b.order)) {
    if (undecided.length === 0) break
    yield policy.condition.length * costs.expressionCharacter
    const read = mfaCondition(policy.condition)
    const still: Facts[] = []
    let isAsked = false
    for (const fact of undecided) {
      const before = budget.steps
      const about = isAbout(read, fact, budget)
      if (about !== false) isAsked = true
      if (about !== true) still.push(fact)
      yield costs.policy + (before - budget.steps) * costs.expressionStep
    }
    if (isAsked) asked.push(policy)
    undecided = still
  }
  return { policies: asked, isOfEach: undecided.length === 0 }
}

/** The policies that a request asks for, and whether one of them is about each of its actions. */
type Asked = { readonly policies: readonly MfaPolicy[]; readonly isOfEach: boolean }

/** Reads the conditions of MFA policies, each once. */
type Conditions = Pick<CompiledCharter, 'mfaCondition'>

/** Undefined where the condition cannot be evaluated. */
function isAbout(condition: Expression | undefined, facts: Facts, budget: Budget): boolean | undefined {
  const value = condition?.evaluate(facts, budget)
  if (value instanceof Problem) return value.kind === 'missing' ? false : undefined
  return value
}

/** Each step needs a separate proof, in any order: two steps with a passkey need two passkeys. */
function isSatisfied({ required }: MfaPolicy, proofs: readonly Proof[]): boolean {
  const distinct = distinctProofs(proofs)
  const stepByProof = new Map<Proof, number>()
  // An augmenting path (bipartite matching): an assigned proof is free when its step can use another one.
  const settle = (step: number, tried: Set<Proof>): boolean =>
    distinct.some((proof) => {
      if (tried.has(proof) || required[step]?.any.some((method) => proves(proof, method)) !== true)
        return false
      tried.add(proof)
      const holder = stepByProof.get(proof)
      if (holder !== undefined && !settle(holder, tried)) return false
      stepByProof.set(proof, step)
      return true
    })
  return required.every((_, step) => settle(step, new Set()))
}

/**
 * The MFA policy that these proofs do not satisfy yet, or the first one where they satisfy all that the request asks
 * for; undefined when it asks for none.
 */
export function* mfaNote(
  user: User,
  facts: readonly Facts[],
  proofs: readonly Proof[],
  conditions: Conditions,
): Steps<MfaNote | undefined> {
  const { policies } = yield* mfaPoliciesFor(user, facts, conditions)
  const unsatisfied = policies.find((policy) => !isSatisfied(policy, proofs))
  const policy = unsatisfied ?? policies[0]
  if (policy === undefined) return undefined
  const { userId } = user
  const { mfaPolicyId, required } = policy
  const shown = distinctProofs(proofs)
    .filter((proof) => required.some(({ any }) => any.some((method) => proves(proof, method))))
    // A one-time code proves a contact, which has no id.
    .map(({ type, id }) => (id === '' ? { type } : { type, id }))
  return { userId, mfaPolicyId, satisfied: unsatisfied === undefined, shown, required }
}

/**
 * Whether an MFA policy of the user that is about a request has a step for proofs of this type, and whether one is
 * about each of its actions.
 */
export function* askedFor(
  user: User,
  facts: readonly Facts[],
  { type }: Pick<Proof, 'type'>,
  conditions: Conditions,
): Steps<{ readonly isStep: boolean; readonly isOfEach: boolean }> {
  const { policies, isOfEach } = yield* mfaPoliciesFor(user, facts, conditions)
  const isStep = policies.some(({ required }) =>
    required.some(({ any }) => any.some((method) => method.type === type)),
  )
  return { isStep, isOfEach }
}
