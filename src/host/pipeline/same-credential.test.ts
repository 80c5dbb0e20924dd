import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  aSubOrganization,
  CREATE_SUB_ORGANIZATION,
  rootUser,
} from '../../trusted/activities/organizations/testing/sub-organization.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import type { Store } from '../store/store.ts'
import { aService, type Member, type TestService } from '../../../test/support/service.ts'
import {
  cborBytes,
  cborMap,
  cborText,
  createAuthenticator,
  type SoftwareAuthenticator,
} from '../../../test/support/software-authenticator.ts'

const LOGIN = 'ACTIVITY_TYPE_STAMP_LOGIN'
const ORIGIN = 'https://app.example'

async function started(t: TestContext, store = openSqlite({ path: ':memory:' })): Promise<TestService> {
  const service = await aService({ store })
  t.after(async () => {
    await service.close()
    await store.close()
  })
  return service
}

/** What was registered before registrations were claimed, or whose claim was deleted. */
function withoutClaims(store: Store): Store {
  return {
    ...store,
    commit: async (unit) => await store.commit({ ...unit, claims: { put: [], remove: [] } }),
  }
}

/** A sub-organization whose one root user has this key, or these passkeys. */
async function customer(service: TestService, user: object): Promise<string> {
  const parameters = { subOrganizationName: 'Customer', rootQuorumThreshold: 1, rootUsers: [user] }
  return (await service.done(service.root, CREATE_SUB_ORGANIZATION, parameters)).subOrganizationId
}

/** The organization that is found for who names the parent alone, by a question and by a login. */
async function foundBy(service: TestService, by: Member): Promise<unknown> {
  const { json } = await service.query(by, 'whoami')
  if (json.organizationId === undefined) return json.turnkeyErrorCode
  const { publicKey } = service.newKey()
  await service.done(by, LOGIN, { publicKey })
  const { json: after } = await service.query(by, 'whoami')
  assert.equal(after.organizationId, json.organizationId)
  return json.organizationId
}

test('who registers the public key of somebody else breaks no login, however often', async (t) => {
  const service = await started(t)
  const key = service.newKey()
  const victim = await customer(service, rootUser('Ada', key))
  const ada: Member = { organizationId: service.organizationId, userId: '', key }
  assert.equal(await foundBy(service, ada), victim)

  for (let time = 0; time < 22; time++) {
    const { roots } = await aSubOrganization(service)
    const apiKeys = [{ apiKeyName: 'Hers', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
    const { userId } = roots[0]
    await service.done(roots[0], 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys })
  }
  assert.equal(await foundBy(service, ada), victim)
})

test('who registers a public key before its holder does never gets their login', async (t) => {
  const service = await started(t)
  const key = service.newKey()
  const { roots } = await aSubOrganization(service)
  const [thief] = roots
  const apiKeys = [{ apiKeyName: 'Hers', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  await service.done(thief, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: thief.userId, apiKeys })
  // Her address is another way in, so that the key alone does not tell whose of the two is hers.
  const victim = await customer(service, rootUser('Ada', key, { userEmail: 'ada@example.com' }))
  const ada: Member = { organizationId: service.organizationId, userId: '', key }

  assert.equal(await foundBy(service, ada), 'CREDENTIAL_CONFLICT')
  const { publicKey } = service.newKey()
  await service.done({ ...ada, organizationId: victim }, LOGIN, { publicKey })
  assert.equal(await foundBy(service, ada), victim)
})

test('an organization with no other way in is its holder’s, however many with others have the same key', async (t) => {
  const service = await started(t)
  const key = service.newKey()
  const thieves = Array.from({ length: 22 }, () => {
    const apiKeys = [service.newKey(), key].map(({ publicKey }) => ({
      apiKeyName: publicKey,
      publicKey,
      curveType: 'API_KEY_CURVE_P256',
    }))
    return { userName: 'Thief', apiKeys, authenticators: [], oauthProviders: [] }
  })
  for (const thief of thieves) await customer(service, thief)
  const victim = await customer(service, rootUser('Ada', key))
  const ada: Member = { organizationId: service.organizationId, userId: '', key }
  assert.equal(await foundBy(service, ada), victim)
})

test('who founds an organization with the key of somebody who has logged in elsewhere does not get the login', async (t) => {
  const service = await started(t)
  const key = service.newKey()
  // Her address is another way in. The key is the only one of the organization that the stranger founds.
  const victim = await customer(service, rootUser('Ada', key, { userEmail: 'ada@example.com' }))
  const { publicKey } = service.newKey()
  await service.done({ organizationId: victim, userId: '', key }, LOGIN, { publicKey })
  await customer(service, rootUser('Stranger', key))
  assert.equal(await foundBy(service, { organizationId: service.organizationId, userId: '', key }), victim)
})

test('the holder of a passkey is found behind any number of others who have registered its id before', async (t) => {
  const service = await started(t)
  const passkey = () => createAuthenticator({ randomBytes: service.world.randomBytes })
  const hers = passkey()
  for (let time = 0; time < 22; time++)
    await customer(service, rootUser('Thief', service.newKey(), withPasskey(passkey(), hers)))
  const victim = await customer(service, rootUser('Ada', service.newKey(), withPasskey(hers)))
  const body = JSON.stringify({ organizationId: service.organizationId })
  const { stampHeaderName, stampHeaderValue } = hers.assert(body, ORIGIN)
  const { json } = await service.post('/public/v1/query/whoami', body, {
    [stampHeaderName]: stampHeaderValue,
  })
  assert.equal(json.organizationId, victim)
})

test('who registers the id of a passkey with a key of their own, and uses it, is not taken for its holder', async (t) => {
  const service = await started(t)
  const hers = createAuthenticator({ randomBytes: service.world.randomBytes })
  const theirs = createAuthenticator({ randomBytes: service.world.randomBytes })
  const victim = await customer(service, rootUser('Ada', service.newKey(), withPasskey(hers)))
  const { roots } = await aSubOrganization(service)
  const thief = roots[0]
  const [stolen] = withPasskey(theirs, hers).authenticators
  const added = { userId: thief.userId, authenticators: [stolen] }
  await service.done(thief, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', added)
  const whoami = async (passkey: SoftwareAuthenticator, organizationId = service.organizationId) => {
    const body = JSON.stringify({ organizationId })
    const { stampHeaderName, stampHeaderValue } = passkey.assert(body, ORIGIN)
    const stamp = JSON.stringify({ ...JSON.parse(stampHeaderValue), credentialId: hers.credentialId })
    const { json } = await service.post('/public/v1/query/whoami', body, { [stampHeaderName]: stamp })
    return json.organizationId ?? json.turnkeyErrorCode
  }
  assert.equal(await whoami(theirs, thief.organizationId), thief.organizationId)
  assert.equal(await whoami(hers), victim)
})

test('where a whole passkey was registered twice, as earlier versions let everybody, it breaks no login', async (t) => {
  const service = await started(t, withoutClaims(openSqlite({ path: ':memory:' })))
  const hers = createAuthenticator({ randomBytes: service.world.randomBytes })
  const key = service.newKey()
  const victim = await customer(service, rootUser('Ada', key, withPasskey(hers)))
  const ada: Member = { organizationId: victim, userId: '', key }
  const { json: me } = await service.query(ada, 'whoami')
  const text = JSON.stringify({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs: String(service.world.now()),
    organizationId: victim,
    parameters: { userTagName: 'Hers', userIds: [me.userId] },
  })
  const stamp = hers.assert(text, ORIGIN)
  const headers = { [stamp.stampHeaderName]: stamp.stampHeaderValue }
  assert.equal((await service.post('/public/v1/submit/create_user_tag', text, headers)).status, 200)

  const { roots } = await aSubOrganization(service)
  const { userId } = roots[0]
  const copied = { userId, ...withPasskey(hers) }
  await service.done(roots[0], 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', copied)
  const body = JSON.stringify({ organizationId: service.organizationId })
  const asked = hers.assert(body, ORIGIN)
  const { json } = await service.post('/public/v1/query/whoami', body, {
    [asked.stampHeaderName]: asked.stampHeaderValue,
  })
  assert.equal(json.organizationId, victim)
})

// Known, and written down in SECURITY.md: the vault cannot tell that the host was shown too few organizations.
test('a database that hides the organization of the holder gets the login to another that has the key', async (t) => {
  const inner = openSqlite({ path: ':memory:' })
  let hidden: string | undefined
  const find: Store['find'] = async (...asked) =>
    (await inner.find(...asked)).filter((target) => target !== hidden)
  const service = await started(t, { ...inner, find })
  const key = service.newKey()
  const victim = await customer(service, rootUser('Ada', key))
  const ada: Member = { organizationId: service.organizationId, userId: '', key }
  const { roots } = await aSubOrganization(service)
  const [thief] = roots
  const apiKeys = [{ apiKeyName: 'Hers', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  await service.done(thief, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: thief.userId, apiKeys })
  assert.equal(await foundBy(service, ada), victim)

  hidden = victim
  assert.equal(await foundBy(service, ada), thief.organizationId)
  assert.equal(
    (await service.query({ ...ada, organizationId: victim }, 'whoami')).json.organizationId,
    victim,
  )
  // That login has proven her key there too.
  hidden = undefined
  assert.equal(await foundBy(service, ada), 'CREDENTIAL_CONFLICT')
})

/** The passkey as a client registers it, or another under its id: with no statement, anybody can write one. */
function withPasskey(passkey: SoftwareAuthenticator, named = passkey) {
  const { clientDataJson, transports } = passkey.register('AAAA', ORIGIN)
  const id = Buffer.from(named.credentialId, 'base64url')
  const authData = Buffer.concat([
    Buffer.alloc(32),
    Buffer.of(0x45),
    Buffer.alloc(4 + 16),
    Buffer.of(0, id.length),
    id,
    Buffer.from(passkey.publicKey, 'base64url'),
  ])
  const attestationObject = cborMap([
    [cborText('fmt'), cborText('none')],
    [cborText('attStmt'), cborMap([])],
    [cborText('authData'), cborBytes(authData)],
  ]).toString('base64url')
  const attestation = { credentialId: named.credentialId, clientDataJson, attestationObject, transports }
  return { authenticators: [{ authenticatorName: 'Phone', challenge: 'AAAA', attestation }] }
}
