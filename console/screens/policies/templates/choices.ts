import type { Session } from '../../../session/session.ts'
import { plainText } from '../../../words/plain-text.ts'
import { COINS } from './coins.ts'
import type { Typed } from './list.ts'
import type { Field } from './read-field.ts'

type Options = readonly (readonly [id: string, name: string])[]

type Choices = {
  /** By field; a field without any is typed. */
  readonly options: { readonly [field in Field]?: Options }
  readonly first: Typed
}

/** What can be chosen by its name, for the fields that a template has. */
export async function choicesFor(session: Session, fields: readonly Field[]): Promise<Choices> {
  const found = await Promise.all(
    fields.map(async (field) => [field, await optionsOf(session, field)] as const),
  )
  const options = found.filter(([, some]) => some !== undefined)
  return {
    options: Object.fromEntries(options),
    first: Object.fromEntries(options.map(([field, some]) => [field, some?.[0]?.[0] ?? ''])),
  }
}

async function optionsOf(session: Session, field: Field): Promise<Options | undefined> {
  if (field === 'coin') return COINS.map(({ chain, title }) => [chain, title])
  const list = LISTS[field]
  if (list === undefined) return undefined
  const [query, items, id, name] = list
  const answer = await session.query(query)
  return answer.list(items).map((one) => [one.text(id), plainText(one.text(name))])
}

const LISTS: { readonly [field in Field]?: readonly [string, string, string, string] } = {
  walletId: ['list_wallets', 'wallets', 'walletId', 'walletName'],
  userId: ['list_users', 'users', 'userId', 'userName'],
  tagId: ['list_user_tags', 'userTags', 'tagId', 'tagName'],
}
