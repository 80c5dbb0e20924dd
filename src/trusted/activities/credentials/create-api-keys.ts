import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import {
  API_KEYS_AT_ONCE_MAX,
  apiKeyFailures,
  apiKeyParams,
  apiKeyParamsV1,
  checkNewApiKeys,
  newApiKey,
  onP256,
} from './api-key-params.ts'
import { apiKeyIsHeld, checkHeldElsewhere, heldKeyNeeds } from './held-keys.ts'
import { userFacts } from '../users/user-facts.ts'

const many = { min: 1, max: API_KEYS_AT_ONCE_MAX }
const intentV1 = object({ apiKeys: list(apiKeyParamsV1, many), userId: uuid })
const intent = object({ apiKeys: list(apiKeyParams, many), userId: uuid })

/**
 * The eleventh long-lived key of a user is refused; the eleventh expiring one pushes out an expired or the oldest one.
 */
export const createApiKeys = defineActivity({
  operation: 'create_api_keys',
  summary: 'Add API keys to a user',
  forms: form('ACTIVITY_TYPE_CREATE_API_KEYS', intentV1, {
    key: 'createApiKeysResult',
    shape: object({ apiKeyIds: list(uuid, { max: API_KEYS_AT_ONCE_MAX }) }),
  }).next('ACTIVITY_TYPE_CREATE_API_KEYS_V2', intent, {
    up: ({ apiKeys, userId }) => ({ apiKeys: apiKeys.map(onP256), userId }),
  }),
  resource: 'CREDENTIAL',
  action: 'CREATE',
  authority: { kind: 'ownCredentials', owner: ({ userId }) => userId },
  amends: true,
  personal: { of: 'one' },
  fails: [...memberFailures, ...apiKeyFailures, apiKeyIsHeld],
  example: {
    intent: {
      apiKeys: [
        {
          apiKeyName: 'Server',
          publicKey: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
          curveType: 'API_KEY_CURVE_P256',
          expirationSeconds: '86400',
        },
      ],
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
    },
    result: { apiKeyIds: ['0198c5a0-7d3c-7000-8000-000000000004'] },
  },
  params: userFacts,
  validate: ({ apiKeys }, _, work) => checkNewApiKeys(apiKeys, work),
  needs: ({ apiKeys }) => heldKeyNeeds(apiKeys),

  async execute({ intent: { apiKeys, userId }, charter, rows, now, newId, work }) {
    checkHeldElsewhere(apiKeys, rows)
    const user = knownUser(charter, userId)
    const added = apiKeys.map((params) => newApiKey({ params, now, newId }))
    return {
      result: { apiKeyIds: added.map(({ apiKeyId }) => apiKeyId) },
      charter: await work.through(
        withUsers(charter, [{ ...user, apiKeys: [...user.apiKeys, ...added] }], now),
      ),
    }
  },
})
