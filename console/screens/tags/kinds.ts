import type { Answered } from '../../service/answered.ts'
import type { Session } from '../../session/session.ts'

/** What can carry a tag: users and private keys. For both the interface has the same, under names of their own. */
export type TagKind = {
  /** As it stands in the address of the page. */
  readonly path: 'users' | 'keys'
  readonly listTags: string
  /** The list of tags in the answer. */
  readonly tags: string
  readonly listCarriers: string
  readonly carriers: string
  /** How the fields of those that carry it begin. */
  readonly carrier: 'user' | 'privateKey'
  readonly create: (name: string, ids: readonly string[]) => Change
  readonly update: (tagId: string, change: TagChange) => Change
  readonly remove: (tagId: string) => Change
}

/** An activity: its type and its parameters. */
type Change = readonly [type: string, parameters: object]

export type TagChange = {
  /** Undefined where it stays: it may be another by now than the page shows. */
  readonly name: string | undefined
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

export const TAG_KINDS: readonly TagKind[] = [
  {
    path: 'users',
    listTags: 'list_user_tags',
    tags: 'userTags',
    listCarriers: 'list_users',
    carriers: 'users',
    carrier: 'user',
    create: (userTagName, userIds) => ['ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds }],
    update: (userTagId, { name, add, remove }) => [
      'ACTIVITY_TYPE_UPDATE_USER_TAG',
      { userTagId, newUserTagName: name, addUserIds: add, removeUserIds: remove },
    ],
    remove: (tagId) => ['ACTIVITY_TYPE_DELETE_USER_TAGS', { userTagIds: [tagId] }],
  },
  {
    path: 'keys',
    listTags: 'list_private_key_tags',
    tags: 'privateKeyTags',
    listCarriers: 'list_private_keys',
    carriers: 'privateKeys',
    carrier: 'privateKey',
    create: (privateKeyTagName, privateKeyIds) => [
      'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG',
      { privateKeyTagName, privateKeyIds },
    ],
    update: (privateKeyTagId, { name, add, remove }) => [
      'ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG',
      { privateKeyTagId, newPrivateKeyTagName: name, addPrivateKeyIds: add, removePrivateKeyIds: remove },
    ],
    remove: (tagId) => ['ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS', { privateKeyTagIds: [tagId] }],
  },
]

/** The tags of a kind, everything that could carry one, and the policies of the organization. */
export type Tagged = {
  readonly tags: readonly Answered[]
  readonly carriers: readonly Carrier[]
  readonly policies: readonly Answered[]
}

type Carrier = { readonly id: string; readonly name: string; readonly tagIds: readonly string[] }

export async function tagged(session: Session, kind: TagKind): Promise<Tagged> {
  const [tags, carriers, policies] = await Promise.all([
    session.query(kind.listTags),
    session.query(kind.listCarriers),
    session.query('list_policies'),
  ])
  return {
    tags: tags.list(kind.tags),
    carriers: carriers.list(kind.carriers).map((one) => ({
      id: one.text(`${kind.carrier}Id`),
      name: one.text(`${kind.carrier}Name`),
      tagIds: one.texts(`${kind.carrier}Tags`),
    })),
    policies: policies.list('policies'),
  }
}

/** The policies that name this tag. Once nobody carries it, a policy that denies by it denies no more. */
export function policiesNaming(policies: readonly Answered[], tagId: string): readonly Answered[] {
  return policies.filter((policy) =>
    ['condition', 'consensus'].some((name) => policy.textOrNone(name).includes(tagId)),
  )
}
