import { costs } from '../base/costs.ts'
import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../base/failure.ts'
import type { Steps } from '../base/work.ts'
import type { Ms } from '../base/world.ts'
import { type Charter, isRoot, type User, userOf } from './charter.ts'
import { lookupsIn, oidcIdentity, walletLogin } from './directory.ts'
import { withoutListsOfNobody } from './ip-allowlist.ts'
import { limits, tooMany, tooManyOfUser } from './limits.ts'
import { keptForRecovery } from './organization-recovery.ts'
import { quorumUsersMissing } from './quorum.ts'
import { checkQuorumWayIn, checkWaysIn, isExpired, userWithoutCredential } from './ways-in.ts'

export const userNotFound = defineFailure<{ readonly userId: string; readonly organizationId: string }>({
  kind: 'userNotFound',
  code: NOT_FOUND,
  say: ({ userId, organizationId }) => `unable to find user ${userId} in organization ${organizationId}`,
})

const userNameTaken = defineFailure<{ readonly userName: string }>({
  kind: 'userNameTaken',
  code: INVALID_ARGUMENT,
  say: ({ userName }) =>
    `user label must be unique: there is a user named ${JSON.stringify(userName)} already`,
})

export const credentialTaken = defineFailure<{ readonly credential: string }>({
  kind: 'credentialTaken',
  code: INVALID_ARGUMENT,
  say: ({ credential }) =>
    `credential must be unique: ${credential} belongs to a user of this organization already`,
})

const oauthProviderTaken = defineFailure<{ readonly issuer: string; readonly subject: string }>({
  kind: 'oauthProviderTaken',
  code: INVALID_ARGUMENT,
  errorCode: 'OAUTH_PROVIDER_ALREADY_EXISTS',
  say: ({ issuer, subject }) =>
    `oauth provider must be unique: subject ${JSON.stringify(subject)} of ${JSON.stringify(issuer)} belongs to a user of this organization already`,
})

export const memberFailures = [
  userNotFound,
  userWithoutCredential,
  userNameTaken,
  credentialTaken,
  oauthProviderTaken,
  tooMany,
  tooManyOfUser,
]

/** Refuses an id that is no user of the organization. */
export function checkUsers(charter: Charter, userIds: readonly string[]): void {
  for (const userId of userIds) knownUser(charter, userId)
}

/** The user, or a failure that names the user and the organization. */
export function knownUser(charter: Charter, userId: string): User {
  const user = userOf(charter, userId)
  if (user === undefined) throw userNotFound({ userId, organizationId: charter.organizationId })
  return user
}

/**
 * The charter with these users instead of the ones with the same ids, or in addition, in steps: an organization may
 * have 5,100 names, credentials and identities that are compared. Refuses states that no edit may lead to: too many
 * users or credentials, two users of one name, two holders of one credential, a user who loses their last lasting way
 * in.
 */
export function* withUsers(charter: Charter, users: readonly User[], now: Ms): Steps<Charter> {
  const changed = new Map(users.map((user) => [user.userId, { ...evicted(user, now), updatedAt: now }]))
  const known = charter.users.map((user) => changed.get(user.userId) ?? user)
  const added = [...changed.values()].filter((user) => userOf(charter, user.userId) === undefined)
  const amended = { ...charter, users: [...known, ...added] }
  if (amended.users.length + keptForRecovery(charter).userNames.length > limits.users)
    throw tooMany({ what: 'users', max: limits.users })
  for (const user of changed.values()) checkNumbers(user)
  checkWaysIn(charter, amended, changed.keys(), now)
  yield* checkUnique(amended)
  return amended
}

/**
 * The charter without these users, and without the IP allowlists of their keys. A member of the root quorum has to be
 * taken out of it first.
 */
export function withoutUsers(charter: Charter, userIds: readonly string[], now: Ms): Charter {
  checkUsers(charter, userIds)
  const roots = userIds.filter((userId) => isRoot(charter, userId))
  if (roots.length > 0) throw quorumUsersMissing({ userIds: roots })
  const users = charter.users.filter(({ userId }) => !userIds.includes(userId))
  const amended = withoutListsOfNobody({ ...charter, users })
  checkQuorumWayIn(charter, amended, now)
  return amended
}

function checkNumbers(user: User): void {
  const longLived = user.apiKeys.filter((key) => key.expirationSeconds === undefined).length
  if (longLived > limits.longLivedApiKeysPerUser)
    throw tooManyOfUser({ what: 'long-lived api keys', max: limits.longLivedApiKeysPerUser })
  if (user.authenticators.length > limits.authenticatorsPerUser)
    throw tooManyOfUser({ what: 'authenticators', max: limits.authenticatorsPerUser })
  if (user.oauthProviders.length > limits.oauthProvidersPerUser)
    throw tooManyOfUser({ what: 'oauth providers', max: limits.oauthProvidersPerUser })
  if (user.walletAuthenticators.length > limits.walletAuthenticatorsPerUser)
    throw tooManyOfUser({ what: 'wallet authenticators', max: limits.walletAuthenticatorsPerUser })
}

/**
 * At most ten expiring keys stay: the expired ones go first, then the oldest. Keys are listed in the order in which
 * they came.
 */
function evicted(user: User, now: Ms): User {
  const expiring = user.apiKeys.filter((key) => key.expirationSeconds !== undefined)
  const excess = expiring.length - limits.expiringApiKeysPerUser
  if (excess <= 0) return user
  const order = expiring.toSorted((a, b) => Number(isExpired(b, now)) - Number(isExpired(a, now)))
  const gone = new Set(order.slice(0, excess).map((key) => key.apiKeyId))
  return { ...user, apiKeys: user.apiKeys.filter((key) => !gone.has(key.apiKeyId)) }
}

function* checkUnique(charter: Charter): Steps<void> {
  const kept = keptForRecovery(charter)
  const names = new Set(kept.userNames)
  const credentials = new Set(kept.publicKeys)
  const identities = new Set<string>()
  for (const user of charter.users) {
    yield lookupsIn(user) * costs.lookup
    if (names.has(user.userName)) throw userNameTaken({ userName: user.userName })
    names.add(user.userName)
    for (const credential of [
      ...user.apiKeys.map((key) => key.publicKey),
      ...user.authenticators.map((authenticator) => authenticator.credentialId),
    ]) {
      if (credentials.has(credential)) throw credentialTaken({ credential })
      credentials.add(credential)
    }
    for (const provider of user.oauthProviders) {
      const identity = oidcIdentity(provider)
      if (identities.has(identity)) throw oauthProviderTaken(provider)
      identities.add(identity)
    }
    for (const wallet of user.walletAuthenticators) {
      const login = walletLogin(wallet)
      if (identities.has(login)) throw credentialTaken({ credential: wallet.address })
      identities.add(login)
    }
  }
}
