import type { Answered } from '../service/answered.ts'

/** The users of an organization, and which of them together may do everything. */
export type Members = {
  readonly users: readonly Answered[]
  readonly tagNames: ReadonlyMap<string, string>
  readonly quorum: Quorum
  /** The names of the features that are on. */
  readonly features: ReadonlySet<string>
}

export type Quorum = { readonly threshold: number; readonly userIds: readonly string[] }

/** How many credentials a user has that do not end by themselves; an API key with an expiry does. */
export function lastingWaysIn(user: Answered): number {
  return ownWays(user) + user.listOrNone('walletAuthenticators').length
}

/**
 * Whether a user has a lasting way in: a credential, or a contact whose login is on. A contact or a wallet needs somebody else,
 * so that it is one only where some user has a way of their own.
 */
export function hasLastingWay({ users, features }: Members, user: Answered): boolean {
  if (ownWays(user) > 0) return true
  const isReached =
    user.listOrNone('walletAuthenticators').length > 0 ||
    (user.textOrNone('userEmail') !== '' && EMAIL_LOGINS.some((name) => features.has(name))) ||
    (user.textOrNone('userPhoneNumber') !== '' && features.has('FEATURE_NAME_SMS_AUTH'))
  return isReached && users.some((one) => ownWays(one) > 0)
}

const EMAIL_LOGINS = ['FEATURE_NAME_EMAIL_AUTH', 'FEATURE_NAME_OTP_EMAIL_AUTH']

function ownWays(user: Answered): number {
  const keys = user.list('apiKeys').filter((key) => !key.has('expirationSeconds'))
  return keys.length + user.list('authenticators').length + user.listOrNone('oauthProviders').length
}

/** Whether the root quorum would have too few members without this user. */
export function breaksQuorum({ quorum: { threshold, userIds } }: Members, userId: string): boolean {
  return userIds.includes(userId) && userIds.length - 1 < threshold
}

/** Which members of a quorum could still vote, and which have no lasting way in. */
export function reachOf(
  members: Members,
  { userIds }: Quorum,
): { readonly able: readonly Answered[]; readonly shutOut: readonly Answered[] } {
  const chosen = members.users.filter((user) => userIds.includes(user.text('userId')))
  return {
    able: chosen.filter((user) => hasLastingWay(members, user)),
    shutOut: chosen.filter((user) => !hasLastingWay(members, user)),
  }
}
