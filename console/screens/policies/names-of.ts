import type { Session } from '../../session/session.ts'
import type { Names } from './sentence.ts'

/** What the service calls the users, tags, wallets and private keys that policies name by their ids. */
export async function namesOf(session: Session): Promise<Names> {
  const found = await Promise.all(
    LISTS.map(async ([query, items, id, name]) => {
      const answer = await session.query(query)
      return answer.list(items).map((one) => [one.text(id), one.text(name)] as const)
    }),
  )
  return new Map(found.flat())
}

const LISTS = [
  ['list_users', 'users', 'userId', 'userName'],
  ['list_user_tags', 'userTags', 'tagId', 'tagName'],
  ['list_wallets', 'wallets', 'walletId', 'walletName'],
  ['list_private_keys', 'privateKeys', 'privateKeyId', 'privateKeyName'],
] as const
