import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import { SignJWT } from 'jose'
import { aProxiedService, type ProxiedService } from '../../../test/support/proxied-service.ts'
import type { SecondAnswer } from '../../../test/support/second-server.ts'
import { oidcNonceFor } from '../../crypto/stamp-attested.ts'

const GOOGLE = 'https://accounts.google.com'
const EMAIL = 'ada@example.com'

type Claims = { readonly [claim: string]: unknown }

/** A proxied service that has the keys of Google, which are the test's, and of another issuer with the same keys. */
async function withIssuers(t: TestContext, allow: { readonly oauth?: boolean } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'g' }] })
  const asked: string[] = []
  const proxied = await aProxiedService(t, {
    allow,
    config: { oauthClientIds: { google: 'web' } },
    outside: async (question) => {
      asked.push(question.about)
      if (question.about === 'issuerKeys') return { kind: 'answered', text: keys }
      const isRight = question.clientSecret === 'a secret' && question.authCode === 'code'
      return isRight
        ? { kind: 'answered', text: JSON.stringify({ subject: '4711', bearerToken: 'b' }) }
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

test('the code of a provider is exchanged with the secret that is kept here, and no other client id will do', async (t) => {
  const { proxied } = await withIssuers(t)
  const { call, service } = proxied
  const { oauth2 } = await service.vault.serviceKeys()
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', {
    provider: 'OAUTH2_PROVIDER_X',
    clientId: 'app',
    encryptedClientSecret: await encryptOauth2ClientSecret('a secret', oauth2),
  })
  const request = {
    provider: 'OAUTH2_PROVIDER_X',
    clientId: 'app',
    authCode: 'code',
    redirectUri: 'https://shop.example/back',
    codeVerifier: 'verifier',
    nonce: 'aa'.repeat(32),
  }
  const { status, json, text } = await call('/v1/oauth2_authenticate', request)
  assert.equal(status, 200, text)
  const claims = JSON.parse(Buffer.from(json.oidcToken.split('.')[1], 'base64url').toString())
  assert.deepEqual([claims.sub, claims.nonce], ['4711', request.nonce])
  for (const other of [{ clientId: 'other' }, { provider: 'OAUTH2_PROVIDER_DISCORD' }]) {
    const answer = await call('/v1/oauth2_authenticate', { ...request, ...other })
    assert.equal(answer.status, 404)
    assert.match(answer.json.message, /^no OAuth 2\.0 credential found/)
  }
  assert.equal((await call('/v1/oauth2_authenticate', { ...request, authCode: 'other' })).status, 400)
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
