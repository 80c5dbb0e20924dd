import { defineFailure, NOT_FOUND } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { userFacts } from '../users/user-facts.ts'

const intent = object({ userId: uuid, providerIds: list(uuid, { min: 1, max: 100 }) })

const providerOfUserNotFound = defineFailure<{ readonly providerId: string; readonly userId: string }>({
  kind: 'providerOfUserNotFound',
  code: NOT_FOUND,
  say: ({ providerId, userId }) => `unable to find oauth provider ${providerId} of user ${userId}`,
})

/** Open sessions stay valid until they expire. */
export const deleteOauthProviders = defineActivity({
  operation: 'delete_oauth_providers',
  summary: 'Remove OIDC or OAuth 2.0 accounts from a user',
  forms: form('ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', intent, {
    key: 'deleteOauthProvidersResult',
    shape: object({ providerIds: list(uuid, { max: 100 }) }),
  }),
  resource: 'CREDENTIAL',
  action: 'DELETE',
  authority: { kind: 'ownCredentials', owner: ({ userId }) => userId },
  amends: true,
  fails: [...memberFailures, providerOfUserNotFound],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      providerIds: ['0198c5a0-7d3c-7000-8000-000000000003'],
    },
    result: { providerIds: ['0198c5a0-7d3c-7000-8000-000000000003'] },
  },
  params: userFacts,

  async execute({ intent: { userId, providerIds }, charter, now, work }) {
    const user = knownUser(charter, userId)
    for (const providerId of providerIds) {
      if (!user.oauthProviders.some((oauthProvider) => oauthProvider.providerId === providerId))
        throw providerOfUserNotFound({ providerId, userId })
    }
    const oauthProviders = user.oauthProviders.filter(({ providerId }) => !providerIds.includes(providerId))
    return {
      result: { providerIds },
      charter: await work.through(withUsers(charter, [{ ...user, oauthProviders }], now)),
    }
  },
})
