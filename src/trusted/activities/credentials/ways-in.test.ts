import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aSubOrganization } from '../organizations/testing/sub-organization.ts'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'

const DELETE_KEYS = 'ACTIVITY_TYPE_DELETE_API_KEYS'
const SET_FEATURE = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'
const REMOVE_FEATURE = 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE'
const OTP = 'FEATURE_NAME_OTP_EMAIL_AUTH'

async function started(t: TestContext): Promise<TestService> {
  const service = await aService()
  t.after(service.close)
  return service
}

async function keyIdsOf(service: TestService, by: Member): Promise<readonly string[]> {
  const { json } = await service.query(by, 'get_api_keys', { userId: by.userId })
  return json.apiKeys.map(({ apiKeyId }: { readonly apiKeyId: string }) => apiKeyId)
}

/** A user whose one key passes. */
async function aGuest(service: TestService, expirationSeconds: string): Promise<Member> {
  const key = service.newKey()
  const apiKey = { apiKeyName: 'Short', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }
  const apiKeys = [{ ...apiKey, expirationSeconds }]
  const users = [{ userName: 'Guest', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
  const { userIds } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users })
  return { ...service.root, userId: userIds[0], key }
}

/** Another key of theirs. */
async function withKey(service: TestService, by: Member, expirationSeconds?: string): Promise<Member> {
  const key = service.newKey()
  const param = { apiKeyName: 'More', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }
  const apiKeys = [expirationSeconds === undefined ? param : { ...param, expirationSeconds }]
  await service.done(by, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: by.userId, apiKeys })
  return { ...by, key }
}

async function shutsOut(service: TestService, by: Member, type: string, parameters: object, whom = by) {
  service.world.advance(1)
  const { status, json } = await service.submit(by, type, parameters)
  assert.deepEqual(
    [status, json.code, json.message],
    [400, 3, `user missing valid credential: ${whom.userId}`],
  )
}

test('the last key without end is not deleted while only keys that pass are left, expired or not', async (t) => {
  const service = await started(t)
  for (const seconds of ['1', '60', '31536000']) {
    const { root } = service
    const [lasting = ''] = await keyIdsOf(service, root)
    const passing = await withKey(service, root, seconds)
    await shutsOut(service, passing, DELETE_KEYS, { userId: root.userId, apiKeyIds: [lasting] })
    service.world.advance(2000)
    await shutsOut(service, root, DELETE_KEYS, { userId: root.userId, apiKeyIds: [lasting] })
  }
  const session = service.newKey()
  await service.done(service.root, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: session.publicKey })
  const [lasting = ''] = await keyIdsOf(service, service.root)
  const bySession = { ...service.root, key: session }
  await shutsOut(service, bySession, DELETE_KEYS, { userId: service.root.userId, apiKeyIds: [lasting] })
})

test('another key without end takes the place of the last', async (t) => {
  const service = await started(t)
  const [first = ''] = await keyIdsOf(service, service.root)
  const other = await withKey(service, service.root)
  await service.done(other, DELETE_KEYS, { userId: other.userId, apiKeyIds: [first] })
  assert.equal((await service.query(other, 'whoami')).status, 200)
})

test('who was made with a key that passes keeps one that has not expired', async (t) => {
  const service = await started(t)
  const guest = await aGuest(service, '900')
  const brief = await withKey(service, guest, '1')
  service.world.advance(2000)
  const [first = '', second = ''] = await keyIdsOf(service, guest)
  await shutsOut(service, guest, DELETE_KEYS, { userId: brief.userId, apiKeyIds: [first] })
  await service.done(guest, DELETE_KEYS, { userId: brief.userId, apiKeyIds: [second] })
})

test('a key that passes serves up to the last millisecond of its time', async (t) => {
  const service = await started(t)
  const guest = await aGuest(service, '9')
  const status = async () => (await service.query(guest, 'whoami')).status
  service.world.advance(8_999)
  assert.equal(await status(), 200)
  service.world.advance(1)
  assert.equal(await status(), 401)
})

test('a contact is a way in of a sub-organization, and at the top only beside somebody who can have a code sent', async (t) => {
  const service = await started(t)
  const { root } = service
  const { organizationId, roots } = await aSubOrganization(service)
  const [ada] = roots
  const userEmail = 'ada@example.com'
  await service.done(ada, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: ada.userId, userEmail })
  const [key = ''] = await keyIdsOf(service, ada)
  await service.done(ada, DELETE_KEYS, { userId: ada.userId, apiKeyIds: [key] })
  assert.equal((await service.query(ada, 'whoami', { organizationId })).status, 401)

  await service.done(root, SET_FEATURE, { name: OTP, value: '' })
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: root.userId, userEmail })
  const [only = ''] = await keyIdsOf(service, root)
  await shutsOut(service, root, DELETE_KEYS, { userId: root.userId, apiKeyIds: [only] })

  const member = await service.user('Member')
  await service.done(root, DELETE_KEYS, { userId: root.userId, apiKeyIds: [only] })
  assert.equal((await service.query(root, 'whoami')).status, 401)
  assert.equal((await service.query(member, 'whoami')).status, 200)
})

test('the root quorum is not handed to users who cannot come back, nor shut out by a change of features or users', async (t) => {
  const service = await started(t)
  const { root } = service
  const guest = await aGuest(service, '9')
  const quorum = { threshold: 1, userIds: [guest.userId] }
  await shutsOut(service, root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum, guest)
  const beside = { threshold: 1, userIds: [guest.userId, root.userId] }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', beside)

  await service.done(root, SET_FEATURE, { name: OTP, value: '' })
  const mailed = { userId: guest.userId, userEmail: 'guest@example.com' }
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', mailed)
  const policy = { policyName: 'Users', effect: 'EFFECT_ALLOW', condition: 'true', notes: '' }
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  await service.done(root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum)
  await shutsOut(service, guest, REMOVE_FEATURE, { name: OTP })
  const only = { userIds: [root.userId] }
  await shutsOut(service, guest, 'ACTIVITY_TYPE_DELETE_USERS', only)
})
