import type { AuthenticationMethod, MfaPolicy, User } from '../charter/charter.ts'
import { readExpression } from '../policy/expression.ts'
import type { MfaNote } from './record.ts'
import type { Facts, Vocabulary } from '../policy/types.ts'

/** How someone has shown who they are: the ways that a policy may ask for, and the ids by which it may name this one. */
export type Proof = { readonly type: AuthenticationMethod['type']; readonly id: string }

/** A session that was opened without a profile. */
export const NO_SESSION_PROFILE = '00000000-0000-0000-0000-000000000000'

/**
 * The first of the user's policies, in their order, that is about this activity; undefined when none is. One whose
 * condition cannot be evaluated counts as being about it.
 */
export function mfaPolicyFor(user: User, facts: Facts, vocabulary: Vocabulary): MfaPolicy | undefined {
  return user.mfaPolicies
    .toSorted((a, b) => a.order - b.order)
    .find(({ condition }) => readExpression(condition, vocabulary)?.evaluate(facts) !== false)
}

export function isSatisfied({ required }: MfaPolicy, proofs: readonly Proof[]): boolean {
  return required.every(({ any }) => any.some((method) => proofs.some((proof) => proves(proof, method))))
}

export function proves(proof: Proof, method: AuthenticationMethod): boolean {
  return proof.type === method.type && (method.id === undefined || method.id === proof.id)
}

/** Which policy asks this user for more than a stamp, and whether these proofs are enough; undefined when none does. */
export function mfaNote(
  user: User,
  facts: Facts,
  proofs: readonly Proof[],
  vocabulary: Vocabulary,
): MfaNote | undefined {
  if (user.mfaPolicies.length === 0) return undefined
  const policy = mfaPolicyFor(user, facts, vocabulary)
  if (policy === undefined) return undefined
  const { userId } = user
  return { userId, mfaPolicyId: policy.mfaPolicyId, satisfied: isSatisfied(policy, proofs) }
}
