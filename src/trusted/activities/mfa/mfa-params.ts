import { costs } from '../../base/costs.ts'
import type { Work } from '../../base/work.ts'
import { defineFailure, Failure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { int64, label, list, object, oneOf, optional, refined, text, uuid } from '../../catalogue/shape.ts'
import type { Effect } from '../../catalogue/activity.ts'
import { AUTHENTICATION_TYPES, type Charter, type MfaPolicy, type User } from '../../charter/charter.ts'
import { memberFailures, withUsers } from '../../charter/members.ts'
import { mfaPolicyFailures, withMfaPolicy } from '../../charter/mfa-policies.ts'
import { parseExpression } from '../../policy/expression.ts'
import type { Vocabulary } from '../../policy/types.ts'

// Every vote includes its user's MFA policies, so these are smaller than the policies of an organization.
const CONDITION_CHARACTERS_MAX = 4_096
const NOTES_CHARACTERS_MAX = 1_024
const STEPS_MAX = 10
const METHODS_MAX = 10

// Without an id any credential of the type is enough.
const method = object({ type: oneOf(AUTHENTICATION_TYPES), id: optional(uuid, 'emptyIsGiven') })

export const requiredMethods = list(object({ any: list(method, { min: 1, max: METHODS_MAX }) }), {
  min: 1,
  max: STEPS_MAX,
})

export const order = refined(int64, {
  problem: (value) => (value < 0 ? `must not be negative, not ${value}` : undefined),
})

export const condition = text({ max: CONDITION_CHARACTERS_MAX })
export const notes = text({ max: NOTES_CHARACTERS_MAX })
export const mfaPolicyName = label

export const mfaPolicyMade = object({ mfaPolicyId: uuid })

/** `reason` is the message of an `expressionInvalid`. */
const mfaConditionInvalid = defineFailure<{ readonly reason: string }>({
  kind: 'mfaConditionInvalid',
  code: INVALID_ARGUMENT,
  say: ({ reason }) => `invalid MFA policy condition: ${reason}`,
})

/** The common parts of creating and updating an MFA policy. */
export const mfaPolicyWriting = {
  resource: 'MFA_POLICY',
  authority: { kind: 'policies' },
  amends: true,
  personal: { of: 'one' },
  looksAtParent: true,
  fails: [...memberFailures, ...mfaPolicyFailures, mfaConditionInvalid],
} as const

/** The policy in its place among those of its user. */
export async function writtenMfaPolicy(
  charter: Charter,
  user: User,
  policy: MfaPolicy,
  { now, work }: { readonly now: number; readonly work: Work },
): Promise<Effect<{ readonly mfaPolicyId: string }>> {
  const { mfaPolicyId } = policy
  return {
    result: { mfaPolicyId },
    charter: await work.through(withUsers(charter, [withMfaPolicy(user, policy)], now)),
  }
}

export async function checkCondition(written: string, vocabulary: Vocabulary, work: Work): Promise<void> {
  await work.step(written.length * costs.expressionCharacter)
  try {
    parseExpression(written, vocabulary)
  } catch (error) {
    if (error instanceof Failure) throw mfaConditionInvalid({ reason: error.message })
    throw error
  }
}
