import { defineFailure, NOT_FOUND } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import { userFacts } from '../users/user-facts.ts'

const ids = list(uuid, { min: 1, max: limits.walletAuthenticatorsPerUser })

const walletAuthenticatorNotFound = defineFailure<{
  readonly walletAuthenticatorId: string
  readonly userId: string
}>({
  kind: 'walletAuthenticatorNotFound',
  code: NOT_FOUND,
  say: ({ walletAuthenticatorId, userId }) =>
    `unable to find wallet authenticator ${walletAuthenticatorId} of user ${userId}`,
})

export const deleteWalletAuthenticators = defineActivity({
  operation: 'delete_wallet_authenticators',
  summary: 'Remove external wallets from a user',
  forms: form(
    'ACTIVITY_TYPE_DELETE_WALLET_AUTHENTICATORS',
    object({ userId: uuid, walletAuthenticatorIds: ids }),
    { key: 'deleteWalletAuthenticatorsResult', shape: object({ walletAuthenticatorIds: ids }) },
  ),
  resource: 'CREDENTIAL',
  action: 'DELETE',
  authority: { kind: 'ownCredentials', owner: ({ userId }) => userId },
  amends: true,
  fails: [...memberFailures, walletAuthenticatorNotFound],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      walletAuthenticatorIds: ['0198c5a0-7d3c-7000-8000-000000000006'],
    },
    result: { walletAuthenticatorIds: ['0198c5a0-7d3c-7000-8000-000000000006'] },
  },
  params: userFacts,

  async execute({ intent: { userId, walletAuthenticatorIds }, charter, now, work }) {
    const user = knownUser(charter, userId)
    const known = new Set(
      user.walletAuthenticators.map((walletAuthenticator) => walletAuthenticator.walletAuthenticatorId),
    )
    for (const walletAuthenticatorId of walletAuthenticatorIds)
      if (!known.has(walletAuthenticatorId))
        throw walletAuthenticatorNotFound({ walletAuthenticatorId, userId })
    const walletAuthenticators = user.walletAuthenticators.filter(
      (walletAuthenticator) => !walletAuthenticatorIds.includes(walletAuthenticator.walletAuthenticatorId),
    )
    return {
      result: { walletAuthenticatorIds },
      charter: await work.through(withUsers(charter, [{ ...user, walletAuthenticators }], now)),
    }
  },
})
