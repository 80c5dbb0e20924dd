import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../base/failure.ts'
import type { AuthenticationMethod, Charter, MfaPolicy, User } from './charter.ts'
import { limits, tooManyOfUser } from './limits.ts'

/** The id by which MFA policies name a session that was opened without a profile. */
export const NO_SESSION_PROFILE = '00000000-0000-0000-0000-000000000000'

export const mfaPolicyNotFound = defineFailure<{ readonly mfaPolicyId: string; readonly userId: string }>({
  kind: 'mfaPolicyNotFound',
  code: NOT_FOUND,
  say: ({ mfaPolicyId, userId }) => `unable to find MFA policy ${mfaPolicyId} of user ${userId}`,
})

const mfaOrderTaken = defineFailure<{ readonly order: number; readonly mfaPolicyName: string }>({
  kind: 'mfaOrderTaken',
  code: INVALID_ARGUMENT,
  say: ({ order, mfaPolicyName }) =>
    `MFA policy order must be unique: ${order} is that of ${JSON.stringify(mfaPolicyName)} already`,
})

const mfaMethodNotFound = defineFailure<{
  readonly type: string
  readonly id: string
  readonly userId: string
}>({
  kind: 'mfaMethodNotFound',
  code: NOT_FOUND,
  say: ({ type, id, userId }) => `unable to find authentication method ${type} ${id} of user ${userId}`,
})

const mfaMethodWithId = defineFailure<{ readonly type: string }>({
  kind: 'mfaMethodWithId',
  code: INVALID_ARGUMENT,
  say: ({ type }) => `invalid authentication method: ${type} is proven by a code and takes no id`,
})

const mfaContactMissing = defineFailure<{ readonly type: string; readonly userId: string }>({
  kind: 'mfaContactMissing',
  code: INVALID_ARGUMENT,
  say: ({ type, userId }) =>
    `invalid authentication method: ${type} needs ${type === EMAIL ? 'an email address' : 'a phone number'}, which user ${userId} does not have`,
})

export const mfaPolicyFailures = [
  mfaPolicyNotFound,
  mfaOrderTaken,
  mfaMethodNotFound,
  mfaMethodWithId,
  mfaContactMissing,
  tooManyOfUser,
]

export function knownMfaPolicy(user: User, mfaPolicyId: string): MfaPolicy {
  const policy = user.mfaPolicies.find((mfaPolicy) => mfaPolicy.mfaPolicyId === mfaPolicyId)
  if (policy === undefined) throw mfaPolicyNotFound({ mfaPolicyId, userId: user.userId })
  return policy
}

/**
 * The user with this policy added, or in the place of the one with its id. They are kept in the order in which they are
 * asked.
 */
export function withMfaPolicy(user: User, policy: MfaPolicy): User {
  const others = user.mfaPolicies.filter((mfaPolicy) => mfaPolicy.mfaPolicyId !== policy.mfaPolicyId)
  const { order } = policy
  const same = others.find((other) => other.order === order)
  if (same !== undefined) throw mfaOrderTaken({ order, mfaPolicyName: same.mfaPolicyName })
  if (others.length + 1 > limits.mfaPoliciesPerUser)
    throw tooManyOfUser({ what: 'MFA policies', max: limits.mfaPoliciesPerUser })
  return { ...user, mfaPolicies: [...others, policy].toSorted((a, b) => a.order - b.order) }
}

export function withoutMfaPolicy(user: User, mfaPolicyId: string): User {
  const gone = knownMfaPolicy(user, mfaPolicyId)
  return { ...user, mfaPolicies: user.mfaPolicies.filter((mfaPolicy) => mfaPolicy !== gone) }
}

/**
 * Refuses a method that names a missing credential. A policy may require a type of credential before the user has one,
 * so that the policy can come first. It may not require a one-time code before the user has the contact: the contact
 * decides who can read the code.
 */
export function checkMfaMethods(
  user: User,
  required: MfaPolicy['required'],
  charters: readonly (Charter | undefined)[],
): void {
  for (const method of required.flatMap(({ any }) => any)) checkMethod(user, method, charters)
}

function checkMethod(
  user: User,
  { type, id }: AuthenticationMethod,
  charters: readonly (Charter | undefined)[],
): void {
  const { userId } = user
  if (type === EMAIL || type === SMS) {
    if (id !== undefined) throw mfaMethodWithId({ type })
    const contact = type === EMAIL ? user.userEmail : user.userPhoneNumber
    if (contact === undefined) throw mfaContactMissing({ type, userId })
    return
  }
  if (id !== undefined && !idsOf(user, type, charters).includes(id))
    throw mfaMethodNotFound({ type, id, userId })
}

const EMAIL = 'AUTHENTICATION_TYPE_EMAIL_OTP'
const SMS = 'AUTHENTICATION_TYPE_SMS_OTP'

function idsOf(
  user: User,
  type: Exclude<AuthenticationMethod['type'], typeof EMAIL | typeof SMS>,
  charters: readonly (Charter | undefined)[],
): readonly string[] {
  switch (type) {
    case 'AUTHENTICATION_TYPE_API_KEY':
      return user.apiKeys.filter(isRegistered).map(({ apiKeyId }) => apiKeyId)
    case 'AUTHENTICATION_TYPE_PASSKEY':
      return user.authenticators.map(({ authenticatorId }) => authenticatorId)
    case 'AUTHENTICATION_TYPE_OAUTH':
      return user.oauthProviders.map(({ providerId }) => providerId)
    case 'AUTHENTICATION_TYPE_WALLET':
      return user.walletAuthenticators.map(({ walletAuthenticatorId }) => walletAuthenticatorId)
    case 'AUTHENTICATION_TYPE_SESSION': {
      const profiles = charters.flatMap((charter) => charter?.sessionProfiles ?? [])
      return [NO_SESSION_PROFILE, ...profiles.map(({ sessionProfileId }) => sessionProfileId)]
    }
  }
}

/** A key that was registered, and not made by a login. */
export function isRegistered({ type }: { readonly type: string }): boolean {
  return type.startsWith('CREDENTIAL_TYPE_API_KEY_')
}
