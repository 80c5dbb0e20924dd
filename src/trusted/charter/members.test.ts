import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import { finished, SLICE } from '../base/work.ts'
import { type ApiKey, type Charter, type User, userOf } from './charter.ts'
import { withUsers } from './members.ts'

const [ada] = filledCharter.users
const [apiKey] = ada.apiKeys
const now = apiKey.createdAt + 1_000_000

/** The key of this number, which is over at that time where a number of seconds is given. */
const passing = (n: number, expirationSeconds = 10_000): ApiKey => ({
  ...apiKey,
  apiKeyId: `${n}`,
  publicKey: `key ${n}`,
  expirationSeconds,
})

function keyIdsAfter(user: User, charter: Charter = filledCharter): readonly string[] | undefined {
  return userOf(finished(withUsers(charter, [user], now)), user.userId)?.apiKeys.map(
    ({ apiKeyId }) => apiKeyId,
  )
}

test('of expiring keys the newest ten stay, and an expired one goes before one that has not expired', () => {
  const eleven = Array.from({ length: 11 }, (_, n) => passing(n))
  const { expirationSeconds: _, ...lasting } = passing(11)
  const ids = eleven.map(({ apiKeyId }) => apiKeyId)
  assert.deepEqual(keyIdsAfter({ ...ada, apiKeys: [lasting, ...eleven.slice(0, 10)] }), [
    '11',
    ...ids.slice(0, 10),
  ])
  assert.deepEqual(keyIdsAfter({ ...ada, apiKeys: [lasting, ...eleven] }), ['11', ...ids.slice(1)])
  for (const expired of [0, 5, 10]) {
    const apiKeys = eleven.map((key, n) => (n === expired ? passing(n, 1) : key))
    assert.deepEqual(keyIdsAfter({ ...ada, apiKeys }), ids.toSpliced(expired, 1))
    assert.deepEqual(
      keyIdsAfter({ ...ada, apiKeys }, { ...filledCharter, users: [] }),
      ids.toSpliced(expired, 1),
    )
  }
})

test('users who change stay where they were, those who come are last, and nobody else is touched', () => {
  const [ben, cyd, dan] = ['ben', 'cyd', 'dan'].map((userId): User => {
    const own = { userName: userId, authenticators: [], oauthProviders: [], walletAuthenticators: [] }
    const { expirationSeconds: _, ...lasting } = passing(1)
    return { ...ada, ...own, userId, apiKeys: [{ ...lasting, apiKeyId: userId, publicKey: userId }] }
  })
  assert.ok(ben && cyd && dan)
  const charter: Charter = { ...filledCharter, users: [ada, ben, cyd] }
  const { users } = finished(withUsers(charter, [dan, { ...ben, userName: 'Benjamin' }], now))
  assert.deepEqual(users, [
    ada,
    { ...ben, userName: 'Benjamin', updatedAt: now },
    cyd,
    { ...dan, updatedAt: now },
  ])
})

test('the users of an organization are compared one after the other, and each is paid for', () => {
  const users = Array.from({ length: 100 }, (_, n): User => ({ ...ada, ...apart(n) }))
  const costs = [...withUsers({ ...filledCharter, users }, [{ ...ada, ...apart(0), userTags: [] }], now)]
  assert.equal(costs.length, users.length)
  for (const cost of costs) assert.ok(cost > 0 && cost < SLICE, `${cost} units in a step`)
})

/** A user of this number, who has as many credentials and identities as one may have. */
function apart(n: number): Partial<User> {
  const ten = Array.from({ length: 10 }, (_, at) => `${n} ${at}`)
  const [authenticator] = ada.authenticators
  const [oauthProvider] = ada.oauthProviders
  const { expirationSeconds: _, ...lasting } = passing(0)
  return {
    userId: `user ${n}`,
    userName: `User ${n}`,
    apiKeys: ten.map((apiKeyId) => ({ ...lasting, apiKeyId, publicKey: `key ${apiKeyId}` })),
    authenticators: ten.map((credentialId) => ({ ...authenticator, credentialId })),
    oauthProviders: ten.map((subject) => ({ ...oauthProvider, subject })),
    walletAuthenticators: [],
  }
}
