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

/**
 * Whether a user has a lasting way in: a credential, or a contact whose login is on. A contact or a wallet needs
 * somebody else, so that it is one only where some user has a way of their own.
 *
 * @param lacking  the id of a credential that is not counted, as if it were deleted
 */
export function hasLastingWay(members: Members, user: Answered, lacking = ''): boolean {
  if (ownWays(user, lacking) > 0) return true
  return isReached(members, user, lacking) && members.users.some((one) => ownWays(one, lacking) > 0)
}

/**
 * What is left to a user with a lasting way in without this credential: nothing that lasts, or ways that need a parent
 * organization, of which the page does not know whether there is one. Undefined where another lasting way is left.
 */
export function leftWithout(
  members: Members,
  user: Answered,
  credentialId: string,
): 'nothing' | 'parentAlone' | undefined {
  if (!hasLastingWay(members, user) || hasLastingWay(members, user, credentialId)) return undefined
  return isReached(members, user, credentialId) ? 'parentAlone' : 'nothing'
}

function ownWays(user: Answered, lacking: string): number {
  const keys = user
    .list('apiKeys')
    .filter((key) => key.text('apiKeyId') !== lacking && !key.has('expirationSeconds'))
  return (
    keys.length +
    others(user.list('authenticators'), 'authenticatorId', lacking) +
    others(user.listOrNone('oauthProviders'), 'providerId', lacking)
  )
}

/** Whether somebody else could let the user in: by a code to a contact, or by the message of a wallet. */
function isReached({ features }: Members, user: Answered, lacking: string): boolean {
  return (
    others(user.listOrNone('walletAuthenticators'), 'walletAuthenticatorId', lacking) > 0 ||
    (user.textOrNone('userEmail') !== '' && EMAIL_LOGINS.some((name) => features.has(name))) ||
    (user.textOrNone('userPhoneNumber') !== '' && features.has('FEATURE_NAME_SMS_AUTH'))
  )
}

const EMAIL_LOGINS = ['FEATURE_NAME_EMAIL_AUTH', 'FEATURE_NAME_OTP_EMAIL_AUTH']

function others(credentials: readonly Answered[], idName: string, lacking: string): number {
  return credentials.filter((one) => one.text(idName) !== lacking).length
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
