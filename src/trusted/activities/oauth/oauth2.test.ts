import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptCredentialBundle, encryptOauth2ClientSecret, generateP256KeyPair } from '@turnkey/crypto'
import { aServiceWithIssuer } from '../../../../test/support/service-with-issuer.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { Secret } from '../../base/secret.ts'
import type { Answer, Question } from '../../catalogue/question.ts'
import { openKeyring } from '../../vault/keys/keyring.ts'
import { publicServiceKeys } from '../../vault/keys/service-keys.ts'
import {
  aCustomer,
  aSessionKey,
  assertBadToken,
  CREATE_PROVIDERS,
  logIn,
  OAUTH,
  userOf,
} from './testing/oauth.ts'

const keys = publicServiceKeys(
  openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }]),
  0,
)
const CREATE = 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL'
const UPDATE = 'ACTIVITY_TYPE_UPDATE_OAUTH2_CREDENTIAL'
const DELETE = 'ACTIVITY_TYPE_DELETE_OAUTH2_CREDENTIAL'
const AUTHENTICATE = 'ACTIVITY_TYPE_OAUTH2_AUTHENTICATE'
const NOBODY = '0198c5a0-7d3c-7000-8000-00000000dead'

const app = async (clientSecret = 'secret ß') => ({
  provider: 'OAUTH2_PROVIDER_DISCORD',
  clientId: '4711',
  encryptedClientSecret: await encryptOauth2ClientSecret(clientSecret, keys.oauth2),
})

const said =
  (answers: { [code: string]: object | string }) =>
  (question: Question): Answer => {
    assert.ok(question.about === 'oauth2Identity')
    const answer = answers[question.authCode]
    return typeof answer === 'object'
      ? { kind: 'answered', text: JSON.stringify(answer) }
      : { kind: 'failed', why: answer ?? 'the provider refused the code (invalid_grant)' }
  }

const CODE = { redirectUri: 'https://app.example/callback', codeVerifier: 'verifier' }

async function authenticate(service: TestService, parameters: object) {
  service.world.advance(1)
  return await service.submit(service.root, AUTHENTICATE, { ...CODE, ...parameters })
}

function claimsOf(jwt: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
}

test('a credential that the published client encrypted is kept, shown, replaced and forgotten', async (t) => {
  const { service } = await aServiceWithIssuer(t)
  const first = await app()
  const { oauth2CredentialId } = await service.done(service.root, CREATE, first)
  const shown = async () =>
    (await service.query(service.root, 'get_oauth2_credential', { oauth2CredentialId })).json.oauth2Credential

  const { createdAt, updatedAt, ...credential } = await shown()
  assert.deepEqual(createdAt, updatedAt)
  assert.deepEqual(credential, { oauth2CredentialId, organizationId: service.organizationId, ...first })
  const second = { ...(await app('other')), provider: 'OAUTH2_PROVIDER_X', clientId: 'x' }
  const updated = await service.done(service.root, UPDATE, { oauth2CredentialId, ...second })
  assert.deepEqual(updated, { oauth2CredentialId })
  assert.equal((await shown()).encryptedClientSecret, second.encryptedClientSecret)
  const { oauth2Credentials } = (await service.query(service.root, 'list_oauth2_credentials')).json
  assert.deepEqual(oauth2Credentials, [await shown()])
  assert.deepEqual(await service.done(service.root, DELETE, { oauth2CredentialId }), { oauth2CredentialId })
  for (const operation of ['update', 'delete']) {
    const type = operation === 'update' ? UPDATE : DELETE
    service.world.advance(1)
    const gone = await service.submit(service.root, type, {
      oauth2CredentialId,
      ...(operation === 'update' ? second : {}),
    })
    assert.equal(gone.status, 404, gone.text)
    assert.equal(gone.json.turnkeyErrorCode, 'OAUTH2_CREDENTIAL_NOT_FOUND')
  }
})

test('a secret that the service cannot open, and one without a client, are refused', async (t) => {
  const { service } = await aServiceWithIssuer(t)
  const good = await app()
  const wrongKey = await encryptOauth2ClientSecret('secret', keys.signer)
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ ...good, encryptedClientSecret: wrongKey }, /^encrypted envelope does not open/],
    [
      { ...good, encryptedClientSecret: good.encryptedClientSecret.slice(2) },
      /^encrypted envelope does not open/,
    ],
    [{ ...good, encryptedClientSecret: 'not hex' }, /must be hexadecimal/],
    [await app(''), /^invalid client secret/],
    [await app('x'.repeat(1025)), /^invalid client secret/],
    [{ ...good, clientId: '' }, /^client_id must be set$/],
    [{ ...good, provider: 'OAUTH2_PROVIDER_OTHER' }, /must be one of/],
  ]
  for (const [parameters, message] of refused) {
    const { status, json, text } = await service.submit(service.root, CREATE, parameters)
    assert.equal(status, 400, text)
    assert.match(json.message, message)
  }
})

test('credentials belong to the parent', async (t) => {
  const { service } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service)
  const { oauth2CredentialId } = await service.done(service.root, CREATE, await app())
  for (const [type, parameters] of [
    [CREATE, await app()],
    [UPDATE, { oauth2CredentialId, ...(await app()) }],
    [DELETE, { oauth2CredentialId }],
    [AUTHENTICATE, { ...CODE, oauth2CredentialId, authCode: 'x', nonce: 'x' }],
  ] as const) {
    const { status, json, text } = await service.submit(ada, type, parameters)
    assert.equal(status, 400, text)
    assert.equal(json.turnkeyErrorCode, 'INVALID_ACTIVITY_CALLER')
  }
})

test('whom the provider names gets a token of the service: to register it, and to log in with it', async (t) => {
  const ask = said({ good: { subject: '80351104', bearerToken: 'at-1' } })
  const { service, questions } = await aServiceWithIssuer(t, { oauth2Identity: ask })
  const { oauth2CredentialId } = await service.done(service.root, CREATE, await app())
  const { key, publicKey, nonce } = aSessionKey(service)
  const given = { oauth2CredentialId, authCode: 'good', nonce }

  const { oidcToken } = await service.done(service.root, AUTHENTICATE, { ...CODE, ...given })

  const now = Math.floor(service.world.now() / 1000)
  assert.deepEqual(claimsOf(oidcToken), {
    iss: 'urn:claviger:oauth2:discord',
    aud: '4711',
    sub: '80351104',
    iat: now,
    exp: now + 900,
    nonce,
  })
  assert.deepEqual(questions, [
    {
      about: 'oauth2Identity',
      provider: 'OAUTH2_PROVIDER_DISCORD',
      clientId: '4711',
      clientSecret: 'secret ß',
      authCode: 'good',
      ...CODE,
    },
  ])
  const ada = await aCustomer(service, { oauthProviders: [{ providerName: 'Discord', oidcToken }] })
  const login = await logIn(service, ada, { oidcToken, publicKey })
  assert.equal(login.status, 200, login.text)
  assert.equal((await service.query({ ...ada, key }, 'whoami')).json.userId, ada.userId)
  assert.equal(questions.length, 1, 'nobody is asked about tokens of our own')
  assertBadToken(await logIn(service, ada, { oidcToken, publicKey: service.newKey().publicKey }), /nonce/)
  const found = await service.query(service.root, 'list_suborgs', {
    filterType: 'OIDC_TOKEN',
    filterValue: oidcToken,
  })
  assert.deepEqual(found.json.organizationIds, [ada.organizationId])
  service.world.advance(15 * 60_000)
  assertBadToken(await logIn(service, ada, { oidcToken, publicKey }), /has expired/)
})

test('a token in the name of the service that somebody else signed is refused, and nobody is asked', async (t) => {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const ada = await aCustomer(service)
  const claims = { iss: 'urn:claviger:oauth2:x', aud: 'web', sub: '1', iat: 1, exp: 4_000_000_000 }
  for (const header of [{}, { kid: undefined }, { alg: 'ES256', typ: 'JWT' }]) {
    const oidcToken = await issuer.sign(claims, header)
    service.world.advance(1)
    const answer = await service.submit(ada, CREATE_PROVIDERS, {
      userId: ada.userId,
      oauthProviders: [{ providerName: 'X', oidcToken }],
    })
    assertBadToken(answer, /its header|signature does not verify/)
  }
  assert.equal(questions.length, 0)
  assert.equal((await userOf(service, ada)).oauthProviders.length, 0)
  assert.equal((await logIn(service, ada, { oidcToken: 'x', targetPublicKey: '04' }, OAUTH)).status, 400)
})

test('the token of the provider travels to the holder of the target key alone', async (t) => {
  const ask = said({ good: { subject: '1', bearerToken: 'at-bearer' } })
  const { service } = await aServiceWithIssuer(t, { oauth2Identity: ask })
  const { oauth2CredentialId } = await service.done(service.root, CREATE, await app())
  const target = generateP256KeyPair()

  const { text, json } = await authenticate(service, {
    oauth2CredentialId,
    authCode: 'good',
    nonce: 'n',
    bearerTokenTargetPublicKey: target.publicKeyUncompressed,
  })

  const { encrypted_bearer_token: bundle } = claimsOf(json.activity.result.oauth2AuthenticateResult.oidcToken)
  assert.ok(typeof bundle === 'string')
  const opened = decryptCredentialBundle(bundle, target.privateKey)
  assert.equal(Buffer.from(opened, 'hex').toString(), 'at-bearer')
  assert.ok(!text.includes('at-bearer'))
  const stored = JSON.stringify((await service.query(service.root, 'list_activities')).json)
  assert.ok(!stored.includes('at-bearer') && !stored.includes('secret ß'))
})

test('an authorization code that a refused request left unused is shown to nobody', async (t) => {
  const { service } = await aServiceWithIssuer(t)
  const { oauth2CredentialId } = await service.done(service.root, CREATE, await app())
  const member = await service.user('Member')
  service.world.advance(1)
  const asked = { ...CODE, oauth2CredentialId, authCode: 'unused/code', nonce: 'n' }
  const refused = await service.submit(member, AUTHENTICATE, asked)
  assert.equal(refused.status, 403, refused.text)
  // With a nonce of their own, a reader would be logged in as the user whom the code is about.
  const { text } = await service.query(member, 'list_activities')
  assert.ok(text.includes(oauth2CredentialId))
  assert.ok(!text.includes('unused'))
})

test('what is missing, unknown, refused by the provider or not understood gives no token', async (t) => {
  const ask = said({ odd: { subject: 'not decimal', bearerToken: 'x' }, bare: { subject: '1' } })
  const { service } = await aServiceWithIssuer(t, { oauth2Identity: ask })
  const { oauth2CredentialId } = await service.done(service.root, CREATE, await app())
  const good = { ...CODE, oauth2CredentialId, authCode: 'good', nonce: 'n' }
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ ...good, authCode: '' }, /^auth_code must be set$/],
    [{ ...good, codeVerifier: '' }, /^code_verifier must be set$/],
    [{ ...good, oauth2CredentialId: '' }, /^oauth2_credential_id must be set$/],
    [{ ...good, redirectUri: '' }, /^redirect_uri must be set$/],
    [{ ...good, nonce: '' }, /^nonce must be set$/],
    [{ ...good, oauth2CredentialId: 'x' }, /field `oauth2CredentialId` must be a UUID/],
    [{ ...good, oauth2CredentialId: NOBODY }, /^could not find oauth2 credential/],
    [{ ...good, bearerTokenTargetPublicKey: '04' }, /^invalid targetPublicKey/],
    [good, /^OAUTH2_PROVIDER_DISCORD did not identify a user: the provider refused the code/],
    [{ ...good, authCode: 'odd' }, /did not identify a user: its answer could not be read/],
    [{ ...good, authCode: 'bare' }, /did not identify a user: its answer could not be read/],
  ]
  for (const [parameters, message] of refused) {
    const { status, json, text } = await authenticate(service, parameters)
    assert.ok([400, 404].includes(status), text)
    assert.match(json.message, message)
  }
})
