import assert from 'node:assert/strict'
import { test } from 'node:test'
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
