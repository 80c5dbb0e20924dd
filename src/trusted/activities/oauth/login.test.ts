import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { decryptCredentialBundle, generateP256KeyPair, verifySessionJwtSignature } from '@turnkey/crypto'
import { SignJWT } from 'jose'
import { present } from '../../base/assert.ts'
import { oidcNonceFor } from '../../crypto/stamp-attested.ts'
import { aServiceWithIssuer } from '../../../../test/support/service-with-issuer.ts'
import { openKeyring } from '../../vault/keys/keyring.ts'
import { publicServiceKeys } from '../../vault/keys/service-keys.ts'
import { Secret } from '../../base/secret.ts'
import {
  aCustomer,
  aSessionKey,
  assertBadToken,
  CREATE_PROVIDERS,
  LOGIN,
  logIn,
  OAUTH,
  GOOGLE,
  ownApplications,
  userOf,
} from './testing/oauth.ts'

const MINUTE = 60_000
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])

test('a token of a registered identity opens a session for the key that it is bound to', async (t) => {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const oauthProviders = [{ providerName: 'Mine', oidcToken: await issuer.token({ subject: 'ada' }) }]
  const ada = await aCustomer(service, { oauthProviders })
  const { key, publicKey, nonce } = aSessionKey(service)
  const oidcToken = await issuer.token({ subject: 'ada', nonce })

  const { json, text } = await logIn(service, ada, { oidcToken, publicKey })

  assert.equal(json.activity?.status, 'ACTIVITY_STATUS_COMPLETED', text)
  const { session } = json.activity.result.oauthLoginResult
  assert.equal(await verifySessionJwtSignature(session, publicServiceKeys(keyring, 0).session), true)
  const claims = JSON.parse(Buffer.from(session.split('.')[1], 'base64url').toString())
  assert.deepEqual(
    [claims.user_id, claims.organization_id, claims.public_key],
    [ada.userId, ada.organizationId, publicKey],
  )
  const records = await service.query({ ...ada, key }, 'list_activities')
  assert.ok(records.text.includes(session.slice(0, session.lastIndexOf('.'))))
  assert.ok(!records.text.includes(session), 'a record shows no token that a backend would accept')
  const who = await service.query({ ...ada, key }, 'whoami')
  assert.equal(who.json.userId, ada.userId, who.text)
  // What is known already is not asked again.
  assert.deepEqual(
    issuer.asked.filter((path) => path === '/jwks' || path.startsWith('/.well-known')).length,
    2,
  )
  assert.equal(questions.length, 2)
  service.world.advance(15 * MINUTE)
  assert.equal((await service.query({ ...ada, key }, 'whoami')).status, 401)
})

test('the older login sends the new key back in a bundle that the published client opens', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const oauthProviders = [{ providerName: 'Mine', oidcToken: await issuer.token({ subject: 'ada' }) }]
  const ada = await aCustomer(service, { oauthProviders })
  const target = generateP256KeyPair()
  const targetPublicKey = target.publicKeyUncompressed
  const oidcToken = await issuer.token({ subject: 'ada', nonce: oidcNonceFor(targetPublicKey) })

  const first = await logIn(service, ada, { oidcToken, targetPublicKey }, OAUTH)
  const named = { oidcToken, targetPublicKey, apiKeyName: 'Phone', invalidateExisting: true }
  const second = await logIn(service, ada, named, OAUTH)

  const { userId, credentialBundle } = present(first.json.activity?.result?.oauthResult, first.text)
  assert.equal(userId, ada.userId)
  assert.match(decryptCredentialBundle(credentialBundle, target.privateKey), /^[0-9a-f]{64}$/)
  const { apiKeyId } = present(second.json.activity?.result?.oauthResult, second.text)
  const keys = (await userOf(service, ada)).apiKeys.filter(
    (apiKey: { credential: { type: string } }) => apiKey.credential.type === 'CREDENTIAL_TYPE_OAUTH_KEY_P256',
  )
  assert.deepEqual(
    keys.map((key: { apiKeyId: string; apiKeyName: string; expirationSeconds: string }) => [
      key.apiKeyId,
      key.apiKeyName,
      key.expirationSeconds,
    ]),
    [[apiKeyId, 'Phone', '900']],
  )
  const at = new Date(service.world.now()).toISOString()
  const unnamed = await service.submit(
    service.root,
    OAUTH,
    { oidcToken, targetPublicKey },
    { organizationId: ada.organizationId },
  )
  assert.equal(unnamed.status, 200, unnamed.text)
  const names = (await userOf(service, ada)).apiKeys.map(
    (apiKey: { apiKeyName: string }) => apiKey.apiKeyName,
  )
  assert.ok(names.includes(`Oauth - ${at}`), names.join())
})

test('every token that is not good is refused, and says why in the words of its kind', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const oauthProviders = [{ providerName: 'Mine', oidcToken: await issuer.token({ subject: 'ada' }) }]
  const ada = await aCustomer(service, { oauthProviders })
  const { publicKey, nonce } = aSessionKey(service)
  const good = await issuer.token({ subject: 'ada', nonce })
  const attempt = async (oidcToken: string, given = {}) =>
    await logIn(service, ada, { oidcToken, publicKey, ...given })
  const [header = '', payload = '', signature = ''] = good.split('.')
  const seconds = Math.floor(service.world.now() / 1000)
  const claims = { iss: issuer.issuer, aud: 'web', sub: 'ada', nonce, iat: seconds, exp: seconds + 600 }
  const encoded = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  assertBadToken(await attempt(await issuer.sign({ ...claims, exp: seconds - 61 })), /has expired/)
  assertBadToken(await attempt(await issuer.sign({ ...claims, nbf: seconds + 120 })), /not valid yet/)
  for (const cut of [`${header}.${payload}`, `${header}.${payload.slice(4)}.${signature}`, '', 'x'])
    assertBadToken(await attempt(cut), /it is not a JWT/)
  assertBadToken(await attempt(`${header}.${payload}.`), /signature does not verify/)
  assertBadToken(await attempt(`${header}.${payload}.${signature.slice(4)}`), /signature does not verify/)
  assertBadToken(
    await attempt(`${header}.${encoded({ ...claims, admin: true })}.${signature}`),
    /signature does not verify/,
  )
  const resigned = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
    .sign(stranger.privateKey)
  assertBadToken(await attempt(resigned), /signature does not verify/)
  const none = `${encoded({ alg: 'none', kid: 'key-1' })}.${encoded(claims)}.`
  assertBadToken(await attempt(none), /algorithm is not accepted/)
  const publicPem = createPublicKey({ key: issuer.publicKey(), format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  })
  const unsigned = `${encoded({ alg: 'HS256', kid: 'key-1' })}.${encoded(claims)}`
  const hs256 = `${unsigned}.${createHmac('sha256', publicPem).update(unsigned).digest('base64url')}`
  assertBadToken(await attempt(hs256), /algorithm is not accepted/)
  assertBadToken(await attempt(await issuer.token({ subject: 'ada', nonce: 'other' })), /nonce/)
  assertBadToken(await attempt(await issuer.token({ subject: 'ada' })), /nonce/)
  assertBadToken(await attempt(good, { publicKey: service.newKey().publicKey }), /nonce/)
  assertBadToken(
    await attempt(await issuer.sign({ ...claims, aud: ['web', 'phone'] })),
    /exactly one audience/,
  )
  const before = service.world.now()
  // The issuer has the clock of this machine, which has gone on since this service was started.
  service.world.advance(90 * MINUTE)
  assertBadToken(await attempt(good), /has expired/)
  service.world.advance(before - service.world.now())
  // Nothing of all this has opened or used up anything.
  assert.equal((await userOf(service, ada)).apiKeys.length, 1)
  assert.equal((await attempt(good)).status, 200)
})

test('an identity that nobody has registered, of any issuer, is not found, and its issuer is not asked', async (t) => {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const other = await aServiceWithIssuer(t)
  const oauthProviders = [{ providerName: 'Mine', oidcToken: await issuer.token({ subject: 'ada' }) }]
  const ada = await aCustomer(service, { oauthProviders })
  const asked = questions.length
  const { publicKey, nonce } = aSessionKey(service)
  const strangers = [
    await issuer.token({ subject: 'bob', nonce }),
    await issuer.token({ subject: 'ada', nonce, audience: 'phone' }),
    await other.issuer.token({ subject: 'ada', nonce }),
  ]

  for (const oidcToken of strangers) {
    const { status, json, text } = await logIn(service, ada, { oidcToken, publicKey })
    assert.equal(status, 404, text)
    assert.match(json.message, /^could not find oauth provider in organization/)
  }
  assert.equal(questions.length, asked)
  const elsewhere = await aCustomer(service)
  const good = await issuer.token({ subject: 'ada', nonce })
  assert.equal((await logIn(service, elsewhere, { oidcToken: good, publicKey })).status, 404)
})

test('after its provider was deleted a token opens nothing any more', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const oauthProviders = [{ providerName: 'Mine', oidcToken: await issuer.token({ subject: 'ada' }) }]
  const ada = await aCustomer(service, { oauthProviders })
  const { publicKey, nonce } = aSessionKey(service)
  const oidcToken = await issuer.token({ subject: 'ada', nonce })
  assert.equal((await logIn(service, ada, { oidcToken, publicKey })).status, 200)
  const [provider] = (await userOf(service, ada)).oauthProviders

  const { providerIds } = await service.done(ada, 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', {
    userId: ada.userId,
    providerIds: [provider.providerId],
  })

  assert.deepEqual(providerIds, [provider.providerId])
  const { status } = await logIn(service, ada, { oidcToken, publicKey })
  assert.equal(status, 404)
  assert.deepEqual((await service.query(ada, 'get_oauth_providers')).json, { oauthProviders: [] })
})

test('keys that an issuer has changed are found, and those it has withdrawn open nothing', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const oauthProviders = [{ providerName: 'Mine', oidcToken: await issuer.token({ subject: 'ada' }) }]
  const ada = await aCustomer(service, { oauthProviders })
  const { publicKey, nonce } = aSessionKey(service)
  const old = await issuer.token({ subject: 'ada', nonce })

  issuer.rotate()
  service.world.advance(MINUTE)
  const fresh = await issuer.token({ subject: 'ada', nonce })

  assert.equal((await logIn(service, ada, { oidcToken: fresh, publicKey })).status, 200)
  assertBadToken(await logIn(service, ada, { oidcToken: old, publicKey }), /no key of its issuer fits/)
})

test('a text that is no key is refused before the issuer is asked, and before anybody is asked to approve', async (t) => {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const oauthProviders = [{ providerName: 'Mine', oidcToken: await issuer.token({ subject: 'ada' }) }]
  const ada = await aCustomer(service, { oauthProviders })
  const oidcToken = await issuer.token({ subject: 'ada', nonce: oidcNonceFor('00') })
  const asked = questions.length
  const refuse = async () => {
    for (const [type, key, message] of [
      [LOGIN, { publicKey: '00' }, /^invalid publicKey: "00" /],
      [OAUTH, { targetPublicKey: '00' }, /^invalid targetPublicKey: "00" /],
    ] as const) {
      const answer = await logIn(service, ada, { oidcToken, ...key }, type)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.json.message, message)
    }
  }
  await refuse()
  assert.equal(questions.length, asked)

  const second = await service.user('Second')
  const userIds = [service.root.userId, second.userId]
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  await refuse()
})

test('an issuer that does not answer, and one that is no URL, are told apart from bad signatures', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service)
  const add = async (oidcToken: string) =>
    await service.submit(ada, CREATE_PROVIDERS, {
      userId: ada.userId,
      oauthProviders: [{ providerName: 'X', oidcToken }],
    })
  const claims = { aud: 'web', sub: 'ada', exp: Math.floor(service.world.now() / 1000) + 600 }

  assertBadToken(await add(await issuer.sign({ ...claims, iss: 'accounts.example' })), /issuer is not a URL/)
  for (const iss of [
    'http://127.0.0.1:9',
    `${issuer.issuer}/other`,
    'file:///etc/passwd',
    'urn:claviger:oauth2',
  ])
    assertBadToken(await add(await issuer.sign({ ...claims, iss })), /the keys of .* could not be had/)
})

test('only users of sub-organizations log in so, and only those whom the parent lets log users in', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const oauthProviders = [{ providerName: 'Mine', oidcToken: await issuer.token({ subject: 'ada' }) }]
  const ada = await aCustomer(service, { oauthProviders })
  const clerk = await service.user('Clerk')
  const { publicKey, nonce } = aSessionKey(service)
  const oidcToken = await issuer.token({ subject: 'ada', nonce })
  const { organizationId } = ada

  for (const [type, key] of [
    [LOGIN, { publicKey }],
    [OAUTH, { targetPublicKey: publicKey }],
  ] as const) {
    const atTop = await service.submit(service.root, type, { oidcToken, ...key })
    assert.equal(atTop.status, 400, atTop.text)
    assert.match(atTop.json.message, /is not a sub-organization/)
  }
  const login = async () => {
    service.world.advance(1)
    return await service.submit(clerk, LOGIN, { oidcToken, publicKey }, { organizationId })
  }
  assert.equal((await login()).status, 403)
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Clerks log users in without a profile',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${clerk.userId}')`,
    condition: "activity.kind == 'OAUTH_LOGIN' && activity.params.session_profile_id == ''",
    notes: '',
  })
  assert.equal((await login()).status, 200)
  // The user's own key may do the same for them.
  assert.equal((await service.submit(ada, LOGIN, { oidcToken, publicKey })).status, 200)
})

test('a first login with Google opens the account whose verified address it is, and is one of its ways in from then on', async (t) => {
  const { service, googleToken } = await aServiceWithIssuer(t)
  await ownApplications(service, [GOOGLE, 'web'])
  const email = 'ada@example.com'
  const first = await googleToken({ sub: '1', email, email_verified: true })
  const ada = await aCustomer(service, { oauthProviders: [{ providerName: 'Google', oidcToken: first }] })
  assert.equal((await userOf(service, ada)).userEmail, email)
  const { publicKey, nonce } = aSessionKey(service)
  const login = async (claims: object) =>
    await logIn(service, ada, {
      oidcToken: await googleToken({ sub: '2', email, nonce, ...claims }),
      publicKey,
    })

  assert.equal((await login({ email_verified: false })).status, 404)
  assert.equal((await login({ email: 'bob@example.com', email_verified: true })).status, 404)
  assert.equal((await login({ email: 'ADA@example.com', email_verified: true })).status, 200)

  const { oauthProviders } = await userOf(service, ada)
  assert.deepEqual(
    oauthProviders.map((oauthProvider: { subject: string }) => oauthProvider.subject),
    ['1', '2'],
  )
})

test('an address that was not verified opens nothing, whatever Google says of it', async (t) => {
  const { service, googleToken } = await aServiceWithIssuer(t)
  const email = 'ada@example.com'
  const ada = await aCustomer(service, { userEmail: email })
  const { publicKey, nonce } = aSessionKey(service)
  const oidcToken = await googleToken({ sub: '1', email, email_verified: true, nonce })

  assert.equal((await logIn(service, ada, { oidcToken, publicKey })).status, 404)
})
