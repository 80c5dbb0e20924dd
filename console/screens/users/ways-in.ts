import type { Answered } from '../../service/answered.ts'

/** The users of an organization, and which of them together may do everything. */
export type Members = {
  readonly users: readonly Answered[]
  readonly tagNames: ReadonlyMap<string, string>
  readonly quorum: { readonly threshold: number; readonly userIds: readonly string[] }
}

/** How many credentials a user has that do not end by themselves; an API key with an expiry does. */
export function lastingWaysIn(user: Answered): number {
  const keys = user.list('apiKeys').filter((key) => !key.has('expirationSeconds'))
  const others = ['authenticators', 'oauthProviders', 'walletAuthenticators'].flatMap((name) =>
    user.listOrNone(name),
  )
  return keys.length + others.length
}

/** Whether the root quorum would have too few members without this user. */
export function breaksQuorum({ quorum: { threshold, userIds } }: Members, userId: string): boolean {
  return userIds.includes(userId) && userIds.length - 1 < threshold
}
