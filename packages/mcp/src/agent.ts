import * as z from 'zod'
import { type Data, asData } from './data.ts'
import type { Service } from './service.ts'
import { ToolError } from './tool-error.ts'

/** Who the key belongs to, as the service says. */
export type Agent = {
  readonly organizationId: string
  readonly organizationName: Data
  readonly userId: string
  readonly userName: Data
  /** Ids of the tags of the user, by which policies may name the user. */
  readonly tagIds: readonly string[]
}

/**
 * Asks anew for each call of a tool: a person may change the tags of the user, or its place in the root quorum, while
 * the server runs.
 *
 * @throws ToolError for a member of the root quorum: policies do not bind such a user, so its key has no limits
 */
export async function agentOf({ query }: Service): Promise<Agent> {
  const { organizationId, organizationName, userId, username } = await query('whoami', {}, whoami)
  const [{ configs }, { user }] = await Promise.all([
    query('get_organization_configs', { organizationId }, quorum),
    query('get_user', { organizationId, userId }, aUser),
  ])
  if (configs.quorum.userIds.includes(userId))
    throw new ToolError(
      'This server does not use this key: its user is a member of the root quorum, and policies do not limit those.',
      'Tell the person who set this up to make a user for the agent, and to start this server with its key file.',
    )
  return {
    organizationId,
    organizationName: asData(organizationName),
    userId,
    userName: asData(username),
    tagIds: user.userTags,
  }
}

const whoami = z.object({
  organizationId: z.guid(),
  organizationName: z.string(),
  userId: z.guid(),
  username: z.string(),
})

const quorum = z.object({ configs: z.object({ quorum: z.object({ userIds: z.array(z.string()) }) }) })

const aUser = z.object({ user: z.object({ userName: z.string(), userTags: z.array(z.string()) }) })

const NAMES_MAX = 10

/** Names of users beside their ids; of more than ten, the ids alone. */
export async function namedUsers(
  { query }: Service,
  organizationId: string,
  userIds: readonly string[],
): Promise<readonly { readonly userId: string; readonly name?: Data }[]> {
  return await Promise.all(
    userIds.map(async (userId, at) => {
      if (at >= NAMES_MAX) return { userId }
      const { user } = await query('get_user', { organizationId, userId }, aUser)
      return { userId, name: asData(user.userName) }
    }),
  )
}
