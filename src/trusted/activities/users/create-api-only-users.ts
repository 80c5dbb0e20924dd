import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { memberFailures, withUsers } from '../../charter/members.ts'
import { checkTags, tagNotFound } from '../../charter/tags.ts'
import { apiKeyIsHeld, checkHeldElsewhere, heldKeyNeeds } from '../credentials/held-keys.ts'
import {
  apiKeysOfUsers,
  apiOnlyUserParams,
  apiOnlyUserUp,
  checkNewUsers,
  newUser,
  newUserFailures,
} from './user-params.ts'

const intent = object({ apiOnlyUsers: list(apiOnlyUserParams, { min: 1, max: 100 }) })
const result = object({ userIds: list(uuid, { max: 100 }) })

/** The oldest way to create users: they have only P-256 keys. */
export const createApiOnlyUsers = defineActivity({
  operation: 'create_api_only_users',
  summary: 'Create users whose only credentials are API keys',
  forms: form('ACTIVITY_TYPE_CREATE_API_ONLY_USERS', intent, {
    key: 'createApiOnlyUsersResult',
    shape: result,
  }),
  resource: 'USER',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  personal: { of: 'made', entries: 'apiOnlyUsers', ids: 'userIds' },
  fails: [...memberFailures, ...newUserFailures, apiKeyIsHeld, tagNotFound],
  example: {
    intent: {
      apiOnlyUsers: [
        {
          userName: 'Payouts',
          userTags: [],
          apiKeys: [
            {
              apiKeyName: 'Server',
              publicKey: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
            },
          ],
        },
      ],
    },
    result: { userIds: ['0198c5a0-7d3c-7000-8000-000000000002'] },
  },
  validate: ({ apiOnlyUsers }, _, work) => checkNewUsers(apiOnlyUsers.map(apiOnlyUserUp), work),
  needs: ({ apiOnlyUsers }) => heldKeyNeeds(apiKeysOfUsers(apiOnlyUsers.map(apiOnlyUserUp))),

  async execute({ intent: { apiOnlyUsers }, charter, rows, now, newId, work }) {
    checkHeldElsewhere(apiKeysOfUsers(apiOnlyUsers.map(apiOnlyUserUp)), rows)
    checkTags(
      charter,
      'TAG_TYPE_USER',
      apiOnlyUsers.flatMap(({ userTags }) => userTags),
    )
    const added = apiOnlyUsers.map((only) =>
      newUser({ params: apiOnlyUserUp(only), proven: { passkeys: [], providers: [] }, now, newId }),
    )
    return {
      result: { userIds: added.map(({ userId }) => userId) },
      charter: await work.through(withUsers(charter, added, now)),
    }
  },
})
