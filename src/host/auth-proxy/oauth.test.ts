import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import { SignJWT } from 'jose'
import { aProxiedService, type ProxiedService } from '../../../test/support/proxied-service.ts'
import type { SecondAnswer } from '../../../test/support/second-server.ts'
import { oidcNonceFor } from '../../trusted/crypto/stamp-attested.ts'

const GOOGLE = 'https://accounts.google.com'
const EMAIL = 'ada@example.com'

/** Whom the code of a provider is about, by the secret of the client that exchanges it. */
const SUBJECTS: Readonly<Record<string, string>> = { 'a secret': '4711', 'of the phone': '4712' }

type Claims = { readonly [claim: string]: unknown }

/** A proxied service that has the keys of Google, which are the test's, and of another issuer with the same keys. */
async function withIssuers(t: TestContext, allow: { readonly oauth?: boolean } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'g' }] })
  const asked: string[] = []
  const proxied = await aProxiedService(t, {
    allow,
    config: {
      oauthClientIds: { google: 'web', x: 'app' },
      socialLinkingClientIds: ['phone'],
      sessionExpirationSeconds: 600,
    },
    outside: async (question) => {
      asked.push(question.about)
      if (question.about === 'issuerKeys') return { kind: 'answered', text: keys }
      const subject = SUBJECTS[question.clientSecret]
      return subject !== undefined && question.authCode === 'code'
        ? { kind: 'answered', text: JSON.stringify({ subject, bearerToken: 'b' }) }
        : { kind: 'failed', why: 'the provider refused the code' }
    },
  })
  const token = (claims: Claims, kid = 'g') => {
    const iat = Math.floor(proxied.service.world.now() / 1000)
    return new SignJWT({ iss: GOOGLE, aud: 'web', sub: 'ada', iat, exp: iat + 3600, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(privateKey)
  }
  return { proxied, token, asked }
}

function signUp({ call }: ProxiedService, oidcToken: string, more: object = {}): Promise<SecondAnswer> {
  const oauthProviders = [{ providerName: 'Google', oidcToken }]
  return call('/v1/signup_v2', { apiKeys: [], authenticators: [], oauthProviders, ...more })
}

test('an account elsewhere signs up, is found by its token, and logs in', async (t) => {
  const { proxied, token } = await withIssuers(t)
  const { call, service } = proxied
  const session = service.newKey()
  const oidcToken = await token({ nonce: oidcNonceFor(session.publicKey) })
  const lookup = { filterType: 'OIDC_TOKEN', filterValue: oidcToken }
  const login = { oidcToken, publicKey: session.publicKey }
  assert.deepEqual((await call('/v1/account', lookup)).json, {})
  const early = await call('/v1/oauth_login', login)
  assert.deepEqual([early.status, early.json.turnkeyErrorCode], [404, 'ORGANIZATION_NOT_FOUND'])
  const { json } = await signUp(proxied, oidcToken)
  assert.deepEqual((await call('/v1/account', lookup)).json, { organizationId: json.organizationId })
  const answer = await call('/v1/oauth_login', login)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(Object.keys(answer.json), ['session'])
  const claims = JSON.parse(Buffer.from(answer.json.session.split('.')[1], 'base64url').toString())
  assert.equal(claims.exp, Math.floor((service.world.now() - 1) / 1000) + 600)
  const ada = { organizationId: json.organizationId, userId: json.userId, key: session }
  assert.equal((await service.query(ada, 'whoami')).json.userId, json.userId)
})

test('where two sub-organizations have the same account elsewhere, nobody guesses which is meant', async (t) => {
  const { proxied, token } = await withIssuers(t)
  const session = proxied.service.newKey()
  const oidcToken = await token({ nonce: oidcNonceFor(session.publicKey) })
  await signUp(proxied, oidcToken)
  await signUp(proxied, oidcToken)
  const { status, json } = await proxied.call('/v1/oauth_login', { oidcToken, publicKey: session.publicKey })
  assert.deepEqual([status, json.turnkeyErrorCode], [401, 'CREDENTIAL_CONFLICT'])
})

test('the code of a provider is exchanged with the secret that is kept here for its client, and no other client will do', async (t) => {
  const { proxied } = await withIssuers(t)
  const { call, service } = proxied
  const { oauth2 } = await service.vault.serviceKeys()
  for (const [clientId, secret] of [
    ['app', 'a secret'],
    ['phone', 'of the phone'],
    ['other', 'a secret'],
  ] as const)
    await service.done(service.root, 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', {
      provider: 'OAUTH2_PROVIDER_X',
      clientId,
      encryptedClientSecret: await encryptOauth2ClientSecret(secret, oauth2),
    })
  const request = {
    provider: 'OAUTH2_PROVIDER_X',
    authCode: 'code',
    redirectUri: 'https://shop.example/back',
    codeVerifier: 'verifier',
    nonce: 'aa'.repeat(32),
  }
  for (const [clientId, subject] of [
    ['app', '4711'],
    ['phone', '4712'],
  ]) {
    const { status, json, text } = await call('/v1/oauth2_authenticate', { ...request, clientId })
    assert.equal(status, 200, text)
    const claims = JSON.parse(Buffer.from(json.oidcToken.split('.')[1], 'base64url').toString())
    assert.deepEqual([claims.sub, claims.aud, claims.nonce], [subject, clientId, request.nonce])
  }
  const foreign = await call('/v1/oauth2_authenticate', { ...request, clientId: 'other' })
  assert.equal(foreign.status, 403)
  assert.match(foreign.json.message, /not issued to a client of this auth proxy configuration/)
  const own = { ...request, clientId: 'app' }
  const absent = await call('/v1/oauth2_authenticate', { ...own, provider: 'OAUTH2_PROVIDER_DISCORD' })
  assert.equal(absent.status, 404)
  assert.match(absent.json.message, /^no OAuth 2\.0 credential found/)
  assert.equal((await call('/v1/oauth2_authenticate', { ...own, authCode: 'other' })).status, 400)
})

test('an address is looked up for who shows a token of Google for this application, and for nobody else', async (t) => {
  const { proxied, token, asked } = await withIssuers(t)
  const lookup = async (claims: Claims, filterType = 'EMAIL') => {
    const oidcToken = await token(claims)
    const { status } = await proxied.call('/v1/account', { filterType, filterValue: EMAIL, oidcToken })
    return status
  }
  const good = { email: 'Ada@example.com', email_verified: true }
  assert.equal(await lookup(good), 200)
  assert.equal(asked.length, 1)
  for (const bad of [
    { ...good, email_verified: false },
    { email: EMAIL },
    { ...good, email: 'ben@example.com' },
    { ...good, iss: 'https://issuer.evil.example' },
    { ...good, aud: 'another application' },
  ])
    assert.equal(await lookup(bad), 403, JSON.stringify(bad))
  assert.equal(await lookup(good, 'PHONE_NUMBER'), 403)
  assert.equal(await lookup({ ...good, exp: 1 }), 400)
  const [header, payload] = (await token(good)).split('.')
  const unsigned = await proxied.call('/v1/account', {
    filterType: 'EMAIL',
    filterValue: EMAIL,
    oidcToken: `${header}.${payload}.c2ln`,
  })
  assert.equal(unsigned.status, 400)
})

test('a token that was issued to a foreign application is nothing to the proxy, whichever path it is sent to', async (t) => {
  const { proxied, token, asked } = await withIssuers(t)
  const { call, service } = proxied
  const { publicKey } = service.newKey()
  const claims = { nonce: oidcNonceFor(publicKey), email: EMAIL, email_verified: true }
  for (const foreign of [{ aud: 'evil' }, { azp: 'evil' }, { aud: 'evil', azp: 'web' }]) {
    const oidcToken = await token({ ...claims, ...foreign })
    const inSnakeCase = { oauth_providers: [{ provider_name: 'Google', oidc_token: oidcToken }] }
    const answers = [
      await call('/v1/signup_v2', { api_keys: [], authenticators: [], ...inSnakeCase }),
      await call('/v1/signup', { apiKeys: [], authenticators: [], ...inSnakeCase }),
      await call('/v1/oauth_login', { oidc_token: oidcToken, public_key: publicKey }),
      await call('/v1/account', { filterType: 'OIDC_TOKEN', filterValue: oidcToken }),
      await call('/v1/account', { filterType: 'EMAIL', filterValue: EMAIL, oidcToken }),
      await call('/v1/oauth_login', { oidcToken, publicKey }),
      await call('/v1/oauth_login', { oidcToken, publicKey, organizationId: service.organizationId }),
      await signUp(proxied, oidcToken),
    ]
    for (const { status, json, text } of answers) {
      assert.equal(status, 403, text)
      assert.match(json.message, /not issued to a client of this auth proxy configuration/)
    }
  }
  assert.deepEqual(asked, [], 'nobody is asked about it')
})

test('an audience that is only claimed has to be of this application too, and leads nobody astray', async (t) => {
  const { proxied, token } = await withIssuers(t)
  const { call, service } = proxied
  const { publicKey } = service.newKey()
  const victims = await token({ nonce: oidcNonceFor(publicKey) })
  const by = (oidcToken: string, oidcClaims: object) =>
    call('/v1/signup_v2', {
      apiKeys: [],
      authenticators: [],
      oauthProviders: [
        { providerName: 'Token', oidcToken },
        { providerName: 'Claims', oidcClaims },
      ],
    })
  const own = { iss: GOOGLE, sub: 'ada', aud: 'web' }
  assert.equal((await by(await token({ aud: 'evil' }), own)).status, 403)
  assert.equal((await by(await token({}), { ...own, aud: 'evil' })).status, 403)
  const claimed = await by(await token({ aud: 'phone' }), own)
  assert.equal(claimed.status, 200, claimed.text)
  const lookup = { filterType: 'OIDC_TOKEN', filterValue: victims }
  assert.deepEqual((await call('/v1/account', lookup)).json, {})
  assert.equal((await call('/v1/oauth_login', { oidcToken: victims, publicKey })).status, 404)
})

test('whether an account elsewhere is known is told only for a token that is verified, also by its claims', async (t) => {
  const { proxied, token } = await withIssuers(t)
  const { call, service } = proxied
  const oidcToken = await token({})
  const { organizationId } = (await signUp(proxied, oidcToken)).json
  const [header, payload] = oidcToken.split('.')
  const forged = `${header}.${payload}.c2ln`
  const { publicKey } = service.newKey()
  const answers = [
    await call('/v1/account', { filterType: 'OIDC_TOKEN', filterValue: forged }),
    await call('/v1/oauth_login', { oidcToken: forged, publicKey }),
    await call('/v1/oauth_login', { oidcToken: forged, publicKey, organizationId }),
  ]
  for (const { status, json } of answers)
    assert.deepEqual([status, json.message], [400, 'invalid OIDC token: its signature does not verify'])

  const claims = (more: object) => ({
    filterType: 'OIDC_CLAIMS',
    filterValue: JSON.stringify({ iss: GOOGLE, sub: 'ada', aud: 'web', ...more }),
  })
  assert.deepEqual((await call('/v1/account', claims({}))).json, {}, 'without a token nothing is looked up')
  assert.deepEqual((await call('/v1/account', claims({ sub: 'nobody' }))).json, {})
  const shown = { oidcToken: await token({ aud: 'phone' }) }
  assert.deepEqual((await call('/v1/account', { ...claims({}), ...shown })).json, { organizationId })
  for (const [more, proof, status] of [
    [{ sub: 'grace' }, shown, 403],
    [{ iss: 'https://issuer.evil.example' }, shown, 403],
    [{ aud: 'evil' }, shown, 403],
    [{ aud: 'evil' }, {}, 403],
    [{}, { oidcToken: forged }, 400],
    [{ aud: '' }, {}, 400],
  ] as const)
    assert.equal(
      (await call('/v1/account', { ...claims(more), ...proof })).status,
      status,
      JSON.stringify(more),
    )
})
