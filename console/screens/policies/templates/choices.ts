import type { Session } from '../../../session/session.ts'
import { plainText } from '../../../words/plain-text.ts'
import { COINS } from './coins.ts'
import type { Typed } from './list.ts'
import type { Field } from './read-field.ts'
import { say } from './words.ts'

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
  // No chain is likelier than another, and the wrong one costs a policy that is about nothing.
  if (field === 'coin') return [['', '…'], ...COINS.map(({ chain, title }) => [chain, title] as const)]
  if (field === 'source') return await sourcesOf(session)
  const list = LISTS[field]
  if (list === undefined) return undefined
  const [query, items, id, name] = list
  const answer = await session.query(query)
  return answer.list(items).map((one) => [one.text(id), plainText(one.text(name))])
}

async function sourcesOf(session: Session): Promise<Options> {
  const [wallets, keys] = await Promise.all([
    session.query('list_wallets'),
    session.query('list_private_keys'),
  ])
  return [
    ...wallets
      .list('wallets')
      .map((one) => [`wallet ${one.text('walletId')}`, plainText(one.text('walletName'))] as const),
    ...keys
      .list('privateKeys')
      .map(
        (one) =>
          [
            `private_key ${one.text('privateKeyId')}`,
            say('aPrivateKey', { name: one.text('privateKeyName') }),
          ] as const,
      ),
  ]
}

const LISTS: { readonly [field in Field]?: readonly [string, string, string, string] } = {
  userId: ['list_users', 'users', 'userId', 'userName'],
  tagId: ['list_user_tags', 'userTags', 'tagId', 'tagName'],
}
