import { CommandError } from '../command-error.ts'
import { endOf } from './key-end.ts'
import { NO_KEY } from './make-user.ts'
import type { Organization, StoredUser } from './organization.ts'

/**
 * Another person may have made a user with the name of an agent, and would then hold its rights. The user is accepted
 * as the agent only if its only credential is the key file.
 *
 * @param known.key  the public key of the key file; undefined without a key file
 * @throws CommandError
 */
export function checkAdoptedUser(
  user: StoredUser,
  {
    key,
    path,
    isRoot,
  }: { readonly key: string | undefined; readonly path: string; readonly isRoot: boolean },
): void {
  if (isRoot)
    throw new CommandError(
      `${user.userName} is in the root quorum, which no policy binds: take it out of that first`,
    )
  const others = user.apiKeys.filter(
    ({ apiKeyName, credential, expirationSeconds }) =>
      credential.publicKey !== key && !(apiKeyName === NO_KEY && expirationSeconds === '1'),
  )
  if (others.length > 0)
    throw new CommandError(
      `${user.userName} has an API key, and its file is not here (${path}): revoke it first`,
    )
  if (hasOtherWays(user))
    throw new CommandError(
      `${user.userName} has a way in beside an API key, or tags: it was not made by this command, so revoke it first`,
    )
}

/**
 * The key in a file is good for the agent that it was made for. The file of a revoked agent is still there, and its key
 * may be the reason why the agent was revoked. A key that has expired is none.
 *
 * @param user  undefined if the agent is still to be made
 * @throws CommandError
 */
export function checkKeptKey(
  user: StoredUser | undefined,
  {
    key,
    userId,
    path,
    now,
  }: {
    readonly key: string
    readonly userId: string | undefined
    readonly path: string
    readonly now: number
  },
): void {
  if (userId !== user?.userId)
    throw new CommandError(`${path} has the key of an earlier agent of this name: move the file away`)
  const registered = user?.apiKeys.find(({ credential }) => credential.publicKey === key)
  if (registered !== undefined && endOf(registered) <= now)
    throw new CommandError(
      `the key in ${path} has expired: revoke the agent, move the file away, and make it again`,
    )
}

/**
 * The same for a sub-organization: it is accepted as the agent's own only if the sender alone, with this very key, is
 * its root quorum, and all its other users are agents.
 *
 * @throws CommandError
 */
export function checkAdoptedOrganization(organization: Organization, label: string): void {
  if (!isAloneIn(organization, label))
    throw new CommandError(
      `there is a sub-organization ${organization.name} that is not yours alone: somebody else could act in it as its root user`,
    )
}

/** Whether the sender alone, with this very key, is the root quorum, and all other users are this agent. */
export function isAloneIn({ caller, userId, users, quorum }: Organization, label: string): boolean {
  const [root, ...others] = users.filter(({ userName }) => userName !== label)
  return (
    root !== undefined &&
    others.length === 0 &&
    root.userId === userId &&
    quorum.userIds.every((id) => id === userId) &&
    root.apiKeys.every(({ credential }) => credential.publicKey === caller.signer.publicKey) &&
    !hasOtherWays(root)
  )
}

function hasOtherWays(user: StoredUser): boolean {
  const { authenticators, oauthProviders, walletAuthenticators, userEmail, userPhoneNumber, userTags } = user
  const lists = [authenticators, oauthProviders, walletAuthenticators, userTags]
  return lists.some(({ length }) => length > 0) || userEmail !== undefined || userPhoneNumber !== undefined
}
