import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { memberFailures, withUsers } from '../../charter/members.ts'
import { checkTags, tagNotFound } from '../../charter/tags.ts'
import { apiKeyIsHeld, checkHeldElsewhere, heldKeyNeeds, type HeldNeeds } from '../credentials/held-keys.ts'
import {
  apiKeysOfUsers,
  checkNewUsers,
  newUserFailures,
  newUsers,
  type ProvenCredentials,
  provenCredentials,
  questionsAboutUsers,
  userParamsV1,
  userParamsV2,
  userParamsV3,
  userParamsV4,
  userV1Up,
  userV2Up,
} from './user-params.ts'

const many = { min: 1, max: 100 }
const intentV1 = object({ users: list(userParamsV1, many) })
const intentV2 = object({ users: list(userParamsV2, many) })
const intentV3 = object({ users: list(userParamsV3, many) })
const intentV4 = object({ users: list(userParamsV4, many) })
const result = object({ userIds: list(uuid, { max: 100 }) })

export const createUsers = defineActivity<
  TypeOf<typeof intentV4>,
  TypeOf<typeof result>,
  HeldNeeds,
  readonly ProvenCredentials[]
>({
  operation: 'create_users',
  summary: 'Create users',
  forms: form('ACTIVITY_TYPE_CREATE_USERS', intentV1, { key: 'createUsersResult', shape: result })
    .next('ACTIVITY_TYPE_CREATE_USERS_V2', intentV2, { up: ({ users }) => ({ users: users.map(userV1Up) }) })
    .next('ACTIVITY_TYPE_CREATE_USERS_V3', intentV3, { up: ({ users }) => ({ users: users.map(userV2Up) }) })
    .next('ACTIVITY_TYPE_CREATE_USERS_V4', intentV4, { up: (older) => older }),
  resource: 'USER',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  personal: { of: 'made', entries: 'users', ids: 'userIds' },
  looksAtParent: true,
  fails: [...memberFailures, ...newUserFailures, apiKeyIsHeld, tagNotFound],
  example: {
    intent: {
      users: [
        {
          userName: 'Ada',
          userEmail: 'ada@example.com',
          apiKeys: [
            {
              apiKeyName: 'Laptop',
              publicKey: '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5',
              curveType: 'API_KEY_CURVE_SECP256K1',
            },
          ],
          authenticators: [],
          oauthProviders: [],
          userTags: ['0198c5a0-7d3c-7000-8000-00000000000a'],
        },
      ],
    },
    result: { userIds: ['0198c5a0-7d3c-7000-8000-000000000002'] },
  },
  validate: ({ users }, _, work) => checkNewUsers(users, work),
  needs: ({ users }) => heldKeyNeeds(apiKeysOfUsers(users)),
  asks: ({ intent: { users }, audiences }) => questionsAboutUsers(users, audiences),
  verify: async ({ users }, means) => await provenCredentials(users, means),

  async execute({ intent: { users }, charter, rows, verified, now, newId, work }) {
    checkHeldElsewhere(apiKeysOfUsers(users), rows)
    checkTags(
      charter,
      'TAG_TYPE_USER',
      users.flatMap(({ userTags }) => userTags),
    )
    const added = newUsers({ users, proven: verified, now, newId })
    return {
      result: { userIds: added.map(({ userId }) => userId) },
      charter: await work.through(withUsers(charter, added, now)),
    }
  },
})
