import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import { type ApiKey, type Charter, featureOf, isRoot, type User } from './charter.ts'

export const userWithoutCredential = defineFailure<{ readonly userId: string }>({
  kind: 'userWithoutCredential',
  code: INVALID_ARGUMENT,
  say: ({ userId }) => `user missing valid credential: ${userId}`,
})

/**
 * Refuses a change of these users that takes the last lasting way in from one of them. A user who had only expiring
 * keys must keep one that has not expired. A user who had no way in, because a change of features has shut them out,
 * may still be renamed or tagged. The root quorum is then not shut out either: a user with a contact is, only when the
 * last user with a way of their own loses it, and that user is refused.
 *
 * @throws  Failure `userWithoutCredential`
 */
export function checkWaysIn(before: Charter, after: Charter, userIds: Iterable<string>, now: Ms): void {
  for (const userId of userIds) {
    const [had, has] = [before, after].map((charter) => wayIn(charter, userId, now))
    if ((has ?? NONE) < (had ?? PASSING)) throw userWithoutCredential({ userId })
  }
}

/**
 * Refuses an amendment that takes the last lasting way in from so many of the root quorum that the rest cannot reach
 * its threshold: one that removes users or features, or replaces the quorum.
 *
 * @throws  Failure `userWithoutCredential`
 */
export function checkQuorumWayIn(before: Charter, after: Charter, now: Ms): void {
  const shutOut = after.rootQuorum.userIds.find((userId) => wayIn(after, userId, now) !== LASTING)
  if (shutOut !== undefined && hasLastingQuorum(before, now) && !hasLastingQuorum(after, now))
    throw userWithoutCredential({ userId: shutOut })
}

/** A key that has expired, one millisecond after its last valid instant. */
export function isExpired(key: Pick<ApiKey, 'createdAt' | 'expirationSeconds'>, now: Ms): boolean {
  return key.expirationSeconds !== undefined && now >= key.createdAt + key.expirationSeconds * 1000
}

/** The user without the keys that were mailed for a recovery: one was used, or the address is no longer the user's. */
export function withoutRecoveryKeys(user: User): User {
  return {
    ...user,
    apiKeys: user.apiKeys.filter(({ type }) => type !== 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256'),
  }
}

const NONE = 0
/** A key that expires, that of a session among them. A recovery key is none: it must be possible to take it away. */
const PASSING = 1
const LASTING = 2

/** Undefined for a user who does not exist. */
function wayIn(charter: Charter, userId: string, now: Ms): number | undefined {
  const user = charter.users.find((item) => item.userId === userId)
  if (user === undefined) return undefined
  if (hasOwnWay(user) || hasHelpedWay(charter, user)) return LASTING
  const { apiKeys } = withoutRecoveryKeys(user)
  return apiKeys.some((key) => !isExpired(key, now)) ? PASSING : NONE
}

/** Whether the user has a lasting way in that needs nobody else: a key without end, a passkey, an account elsewhere. */
function hasOwnWay({ apiKeys, authenticators, oauthProviders }: User): boolean {
  return (
    authenticators.length > 0 ||
    oauthProviders.length > 0 ||
    apiKeys.some(({ expirationSeconds }) => expirationSeconds === undefined)
  )
}

/**
 * A contact whose login is switched on, or a wallet elsewhere. Somebody has to have the code sent, or the message of
 * the wallet verified: that is the parent of a sub-organization, and in a top-level one a user with a way of their own.
 */
function hasHelpedWay(charter: Charter, { userEmail, userPhoneNumber, walletAuthenticators }: User): boolean {
  const isOn = (name: string) => featureOf(charter, name) !== undefined
  const isReached =
    walletAuthenticators.length > 0 ||
    (userEmail !== undefined && EMAIL_LOGINS.some(isOn)) ||
    (userPhoneNumber !== undefined && isOn('FEATURE_NAME_SMS_AUTH'))
  return isReached && (charter.parentId !== null || charter.users.some(hasOwnWay))
}

const EMAIL_LOGINS = ['FEATURE_NAME_EMAIL_AUTH', 'FEATURE_NAME_OTP_EMAIL_AUTH']

/** Whether enough of the root quorum have a lasting way in. */
function hasLastingQuorum(charter: Charter, now: Ms): boolean {
  const lasting = charter.users.filter(
    ({ userId }) => isRoot(charter, userId) && wayIn(charter, userId, now) === LASTING,
  )
  return lasting.length >= charter.rootQuorum.threshold
}
