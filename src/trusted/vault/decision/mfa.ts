import type { AuthenticationMethod, MfaPolicy, User } from '../../charter/charter.ts'
import { costs } from '../../base/costs.ts'
import type { Steps } from '../../base/work.ts'
import type { Expression } from '../../policy/expression.ts'
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
 * The first of the user's policies, in their order, that is about this activity; undefined when none is. As with a policy that
 * denies, one whose condition cannot be evaluated is about it, unless it asks for something that such an activity does not have.
 */
function* mfaPolicyFor(
  user: User,
  facts: readonly Facts[],
  { mfaCondition }: Conditions,
): Steps<MfaPolicy | undefined> {
  const budget = decisionBudget(facts.length)
  for (const policy of user.mfaPolicies.toSorted((a, b) => a.order - b.order)) {
    yield policy.condition.length * costs.expressionCharacter
    const read = mfaCondition(policy.condition)
    for (const fact of facts) {
      const before = budget.steps
      if (isAbout(read, fact, budget)) return policy
      yield costs.policy + (before - budget.steps) * costs.expressionStep
    }
  }
  return undefined
}

/** Reads the conditions of MFA policies, each once. */
type Conditions = Pick<CompiledCharter, 'mfaCondition'>

function isAbout(condition: Expression | undefined, facts: Facts, budget: Budget): boolean {
  const value = condition?.evaluate(facts, budget) ?? true
  return typeof value === 'boolean' ? value : value.kind === 'failed'
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

/** The MFA policy that applies to this user, and whether these proofs satisfy it; undefined when none applies. */
export function* mfaNote(
  user: User,
  facts: readonly Facts[],
  proofs: readonly Proof[],
  conditions: Conditions,
): Steps<MfaNote | undefined> {
  const policy = yield* mfaPolicyFor(user, facts, conditions)
  if (policy === undefined) return undefined
  const { userId } = user
  const { mfaPolicyId, required } = policy
  const shown = distinctProofs(proofs)
    .filter((proof) => required.some(({ any }) => any.some((method) => proves(proof, method))))
    // A one-time code proves a contact, which has no id.
    .map(({ type, id }) => (id === '' ? { type } : { type, id }))
  return { userId, mfaPolicyId, satisfied: isSatisfied(policy, proofs), shown, required }
}
