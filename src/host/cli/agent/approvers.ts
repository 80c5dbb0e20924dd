import { printable } from '../policies/printable.ts'
import { UsageError } from '../usage.ts'
import type { Organization } from './organization.ts'
import { agentNameIn, type Approvers } from './wanted-agent.ts'
import { CommandError } from '../command-error.ts'

/**
 * The users of `--ask-above`: `quorum`, or names, e-mail addresses or ids, one of whom is enough, or `2 of` several.
 *
 * @throws CommandError  if a name belongs to no user, to several users, or to an agent
 * @throws UsageError  if more users have to approve than are named
 */
export function approversIn(given: string, { users, quorum }: Organization): Approvers {
  if (given === 'quorum') {
    const people = quorum.userIds.length === 1 ? 'the root user' : `${quorum.threshold} of the root users`
    return { userIds: quorum.userIds, needed: quorum.threshold, text: people }
  }
  const [, count = '1', names = ''] = /^(?:([1-9]\d?) of )?(.+)$/.exec(given.trim()) ?? []
  const people = names.split(',').map((name) => userCalled(name.trim(), users))
  const userIds = [...new Set(people.map(({ userId }) => userId))]
  const needed = Number(count)
  if (needed > userIds.length)
    throw new UsageError(
      `--ask-above asks for ${needed} of ${userIds.length} users: they could never all approve`,
    )
  const shown = people.map(({ userId, userName }) => `${printable(userName)} (${userId})`).join(', ')
  return { userIds, needed, text: userIds.length === 1 ? shown : `${needed} of ${shown}` }
}

function userCalled(name: string, users: Organization['users']): Organization['users'][number] {
  const found = users.filter(({ userId, userName, userEmail }) =>
    [userId, userName, userEmail].includes(name),
  )
  const [user, ...others] = found
  if (user === undefined) throw new CommandError(`--ask-above: no user is called ${printable(name)}`)
  if (others.length > 0)
    throw new CommandError(`--ask-above: several users are called ${printable(name)}; name one by its id`)
  if (agentNameIn(user.userName) !== undefined)
    throw new CommandError(
      `--ask-above: ${printable(name)} is an agent, and agents do not approve for other agents`,
    )
  return user
}
