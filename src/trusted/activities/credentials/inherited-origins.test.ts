import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import { aService, type Member } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'

const ALLOWED = 'https://app.example.com'
const CHALLENGE = Buffer.alloc(32, 5).toString('base64url')

test('a sub-organization registers and uses passkeys only from where its parent allows, unless it says otherwise', async (t) => {
  const service = await aService()
  t.after(() => service.close())
  const { root, world, done, submit } = service
  await done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
    value: ALLOWED,
  })
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const rootUsers = [{ userName: 'Ada', apiKeys, authenticators: [], oauthProviders: [] }]
  const sub = await done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Sub',
    rootUsers,
    rootQuorumThreshold: 1,
  })
  const ada: Member = { organizationId: sub.subOrganizationId, userId: sub.rootUserIds[0], key }
  const register = (origin: string) => {
    world.advance(1)
    const passkey = createAuthenticator({ randomBytes: world.randomBytes })
    const attestation = passkey.register(CHALLENGE, origin)
    const authenticators = [{ authenticatorName: `At ${origin}`, challenge: CHALLENGE, attestation }]
    const answer = submit(ada, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
      authenticators,
      userId: ada.userId,
    })
    return answer.then((response) => ({ passkey, response }))
  }

  const elsewhere = await register('https://evil.example.com')
  assert.equal(elsewhere.response.status, 400)
  assert.match(elsewhere.response.json.message, /origin "https:\/\/evil.example.com" is not allowed/)
  const there = await register(ALLOWED)
  assert.equal(there.response.status, 200, there.response.text)

  const body = JSON.stringify({ organizationId: ada.organizationId })
  const askFrom = (origin: string) => {
    const { stampHeaderName, stampHeaderValue } = there.passkey.assert(body, origin)
    return service.post('/public/v1/query/whoami', body, { [stampHeaderName]: stampHeaderValue })
  }
  assert.equal((await askFrom(ALLOWED)).status, 200)
  assert.equal((await askFrom('https://evil.example.com')).status, 401)

  await done(ada, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
    value: '*',
  })
  assert.equal(
    (await askFrom('https://evil.example.com')).status,
    401,
    '`*` of its own is no word of its own',
  )
})

test('what a parent allows no more, no other host allows that has read the parent before', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  t.after(() => store.close())
  const [service, other] = [await aService({ store }), await aService({ store, seed: 2 })]
  t.after(() => Promise.all([service.close(), other.close()]))
  const { root, world, done } = service
  const passkey = createAuthenticator({ randomBytes: world.randomBytes })
  const attestation = passkey.register(CHALLENGE, ALLOWED)
  const authenticators = [{ authenticatorName: 'Phone', challenge: CHALLENGE, attestation }]
  const { subOrganizationId: organizationId } = await done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Sub',
    rootUsers: [{ userName: 'Ada', apiKeys: [], authenticators, oauthProviders: [] }],
    rootQuorumThreshold: 1,
  })
  const openedFrom = async (origin: string): Promise<number> => {
    other.world.advance(1)
    const type = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION'
    const timestampMs = String(other.world.now())
    const body = JSON.stringify({ type, timestampMs, organizationId, parameters: {} })
    const { stampHeaderName, stampHeaderValue } = passkey.assert(body, origin)
    const path = '/public/v1/submit/create_read_only_session'
    return (await other.post(path, body, { [stampHeaderName]: stampHeaderValue })).status
  }
  assert.equal(await openedFrom('https://evil.example.com'), 200)
  const name = 'FEATURE_NAME_WEBAUTHN_ORIGINS'
  await done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: ALLOWED })
  assert.equal(await openedFrom('https://evil.example.com'), 401)
  assert.equal(await openedFrom(ALLOWED), 200)
})
