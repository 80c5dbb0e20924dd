import type { Session } from '../../session/session.ts'
import { daysAgo } from '../../words/days-ago.ts'
import { say } from './words.ts'

/** Days in UTC by the ids of a user and of their credentials; undefined while the service has not told them. */
export type LastUses = ReadonlyMap<string, string> | undefined

export async function lastUses(session: Session, userId: string): Promise<LastUses> {
  const users = (await session.query('list_last_uses', { userId })).list('users')
  const uses = users.flatMap((user) => [
    [user.text('userId'), user.textOrNone('lastUsedOn')] as const,
    ...user
      .list('authenticators')
      .map((one) => [one.text('authenticatorId'), one.textOrNone('lastUsedOn')] as const),
    ...user.list('apiKeys').map((one) => [one.text('apiKeyId'), one.textOrNone('lastUsedOn')] as const),
  ])
  return new Map(uses.filter(([, day]) => day !== ''))
}

export function LastUse({ day }: { readonly day: string | undefined }) {
  return day === undefined ? <>{say('notUsed')}</> : <time dateTime={day}>{daysAgo(day)}</time>
}
