import { defineFailure, NOT_FOUND } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { list as listOf, string } from '../../policy/types.ts'

const intent = object({ userId: uuid, apiKeyIds: list(uuid, { min: 1, max: 100 }) })

const apiKeyOfUserNotFound = defineFailure<{ readonly apiKeyId: string; readonly userId: string }>({
  kind: 'apiKeyOfUserNotFound',
  code: NOT_FOUND,
  say: ({ apiKeyId, userId }) => `unable to find api key ${apiKeyId} of user ${userId}`,
})

export const deleteApiKeys = defineActivity({
  operation: 'delete_api_keys',
  summary: 'Remove API keys from a user',
  forms: form('ACTIVITY_TYPE_DELETE_API_KEYS', intent, {
    key: 'deleteApiKeysResult',
    shape: object({ apiKeyIds: list(uuid, { max: 100 }) }),
  }),
  resource: 'CREDENTIAL',
  action: 'DELETE',
  authority: { kind: 'ownCredentials', owner: ({ userId }) => userId },
  amends: true,
  fails: [...memberFailures, apiKeyOfUserNotFound],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      apiKeyIds: ['0198c5a0-7d3c-7000-8000-000000000004'],
    },
    result: { apiKeyIds: ['0198c5a0-7d3c-7000-8000-000000000004'] },
  },
  params: {
    types: { user_id: string, api_key_ids: listOf(string) },
    of: ({ userId, apiKeyIds }) => ({ user_id: userId, api_key_ids: apiKeyIds }),
  },

  async execute({ intent: { userId, apiKeyIds }, charter, now, work }) {
    const user = knownUser(charter, userId)
    for (const apiKeyId of apiKeyIds) {
      if (!user.apiKeys.some((key) => key.apiKeyId === apiKeyId))
        throw apiKeyOfUserNotFound({ apiKeyId, userId })
    }
    const apiKeys = user.apiKeys.filter((key) => !apiKeyIds.includes(key.apiKeyId))
    return {
      result: { apiKeyIds },
      charter: await work.through(withUsers(charter, [{ ...user, apiKeys }], now)),
    }
  },
})
