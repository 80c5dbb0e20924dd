import assert from 'node:assert/strict'
import { signsPayload } from './asks.ts'
import { allow, anyOf, type Ask, decided } from './decision.ts'
import { type Organization, TARGET_PUBLIC_KEY } from './organization.ts'
import { shown } from './row.ts'

/** Rows 55 to 57: tags and export of a key, and the path of an account. */
export const rowsOfKeys = [
  decided(55, 'a key with a tag signs as long as it has not been exported', (o) => ({
    policies: [notExported(o)],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['completed', 'ALLOW'] }],
  })),
  decided(55, 'once it has been exported it no longer does', async (o) => {
    const { service, R, K1 } = o
    const parameters = { privateKeyId: K1, targetPublicKey: TARGET_PUBLIC_KEY }
    await service.done(R, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', parameters)
    return {
      policies: [notExported(o)],
      requests: [{ ask: signsPayload(K1), comesTo: ['denied', 'DENY_IMPLICIT'] }],
    }
  }),
  decided(56, 'the export of an account shows its path', (o) => ({
    policies: [deepPath],
    requests: [
      { ask: exportsAccount(o.E1), comesTo: ['completed', 'ALLOW'] },
      { ask: exportsAccount(o.S1), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  decided(57, 'signing with it does not', (o) => ({
    policies: [deepPath],
    requests: [{ ask: signsPayload(o.E1), comesTo: ['denied', 'ERROR'] }],
  })),
]

/** Rows 61, 67, 68 and 70: what else an activity is about. */
export const rowsOfRequests = [
  decided(61, 'a user may delete themselves, and nobody along with them', (o) => ({
    policies: [
      allow(`activity.kind == 'DELETE_USERS' && activity.params.user_ids.all(i, i == '${o.A.userId}')`, {
        consensus: anyOf(o.A),
      }),
    ],
    requests: [
      { ask: deletes(o.A.userId, o.B.userId), comesTo: ['denied', 'DENY_IMPLICIT'] },
      { ask: deletes(o.A.userId), comesTo: ['completed', 'ALLOW'] },
    ],
  })),
  decided(67, 'lists and texts are indexed, cut, counted and searched', (o) => ({
    policies: [
      allow(
        "1 in [1,2,3] && 'abc'[0..2] == 'ab' && [3,1][0] == 3 && [1,1].all(x, x == 1) && [1,2].filter(x, x > 1).count() == 1",
      ),
    ],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['completed', 'ALLOW'] }],
  })),
  decided(68, 'a parameter that the activity does not have leaves the policy without a value', (o) => ({
    policies: [allow(`activity.params.user_id == '${o.A.userId}'`, { consensus: anyOf(o.A) })],
    requests: [{ ask: createsUser, comesTo: ['denied', 'ERROR'] }],
  })),
  shown(
    70,
    'a session is held to its scope, also that of a root user',
    async ({ service, R, K1, walletId }) => {
      const { sessionProfileId } = await service.done(R, 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE', {
        sessionProfileName: 'Signs',
        scope: "activity.action == 'SIGN'",
      })
      const key = service.newKey()
      const login = { publicKey: key.publicKey, sessionProfileId }
      await service.done(R, 'ACTIVITY_TYPE_STAMP_LOGIN', login)
      const session = { ...R, key }
      const { type, parameters } = signsPayload(K1)
      await service.done(session, type, parameters)
      const wanted = { walletId, targetPublicKey: TARGET_PUBLIC_KEY }
      service.world.advance(1)

      const { status, json } = await service.submit(session, 'ACTIVITY_TYPE_EXPORT_WALLET', wanted)

      assert.deepEqual([status, json.code], [403, 7])
      await service.done(R, 'ACTIVITY_TYPE_EXPORT_WALLET', wanted)
    },
  ),
]

const deepPath = allow(
  "activity.kind == 'EXPORT_WALLET_ACCOUNT' && wallet_account.path_indexes.count() == 5 && wallet_account.path_hardened[0] == true",
)

const createsUser: Ask = {
  type: 'ACTIVITY_TYPE_CREATE_USERS_V3',
  parameters: {
    users: [{ userName: 'New', apiKeys: [], authenticators: [], oauthProviders: [], userTags: [] }],
  },
}

function notExported({ hot }: Organization) {
  return allow(`private_key.tags.contains('${hot}') && !private_key.exported`)
}

function exportsAccount(address: string): Ask {
  const parameters = { address, targetPublicKey: TARGET_PUBLIC_KEY }
  return { type: 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT', parameters }
}

function deletes(...userIds: readonly string[]): Ask {
  return { type: 'ACTIVITY_TYPE_DELETE_USERS', parameters: { userIds } }
}
