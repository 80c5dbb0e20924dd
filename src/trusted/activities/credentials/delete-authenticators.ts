import { defineFailure, NOT_FOUND } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { userFacts } from '../users/user-facts.ts'

const intent = object({ userId: uuid, authenticatorIds: list(uuid, { min: 1, max: 100 }) })

const authenticatorOfUserNotFound = defineFailure<{
  readonly authenticatorId: string
  readonly userId: string
}>({
  kind: 'authenticatorOfUserNotFound',
  code: NOT_FOUND,
  say: ({ authenticatorId, userId }) => `unable to find authenticator ${authenticatorId} of user ${userId}`,
})

export const deleteAuthenticators = defineActivity({
  operation: 'delete_authenticators',
  summary: 'Remove passkeys from a user',
  forms: form('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', intent, {
    key: 'deleteAuthenticatorsResult',
    shape: object({ authenticatorIds: list(uuid, { max: 100 }) }),
  }),
  resource: 'CREDENTIAL',
  action: 'DELETE',
  authority: { kind: 'ownCredentials', owner: ({ userId }) => userId },
  amends: true,
  fails: [...memberFailures, authenticatorOfUserNotFound],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      authenticatorIds: ['0198c5a0-7d3c-7000-8000-000000000005'],
    },
    result: { authenticatorIds: ['0198c5a0-7d3c-7000-8000-000000000005'] },
  },
  params: userFacts,

  async execute({ intent: { userId, authenticatorIds }, charter, now, work }) {
    const user = knownUser(charter, userId)
    for (const authenticatorId of authenticatorIds) {
      if (!user.authenticators.some((authenticator) => authenticator.authenticatorId === authenticatorId))
        throw authenticatorOfUserNotFound({ authenticatorId, userId })
    }
    const authenticators = user.authenticators.filter(
      (authenticator) => !authenticatorIds.includes(authenticator.authenticatorId),
    )
    return {
      result: { authenticatorIds },
      charter: await work.through(withUsers(charter, [{ ...user, authenticators }], now)),
    }
  },
})
