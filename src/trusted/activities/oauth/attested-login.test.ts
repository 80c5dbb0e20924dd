import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aServiceWithIssuer } from '../../../../test/support/service-with-issuer.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { type StampKey, stampWith } from '../../../../test/support/stamper.ts'
import { present } from '../../base/assert.ts'
import { Secret } from '../../base/secret.ts'
import { questionsAbout } from '../../catalogue/identity-tokens.ts'
import { serviceIssuers } from '../../charter/service-issuers.ts'
import { p256Signer } from '../../crypto/p256.ts'
import { signServiceOidcToken } from '../../crypto/service-oidc-token.ts'
import { openKeyring } from '../../vault/keys/keyring.ts'
import { aCustomer, aSessionKey, attestedBy } from './testing/oauth.ts'

const LOGIN = 'ACTIVITY_TYPE_STAMP_LOGIN'
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])

/** A login that an identity token vouches for, as the published client sends it: with the id of the parent. */
async function logIn(service: TestService, token: string, key: StampKey, organizationId: string) {
  service.world.advance(1)
  const body = JSON.stringify({
    type: LOGIN,
    timestampMs: String(service.world.now()),
    organizationId,
    parameters: { publicKey: key.publicKey },
  })
  return await service.post('/public/v1/submit/stamp_login', body, attestedBy(token, key, body))
}

test('a token of an issuer, and one of the service itself, stamp a login that names only the parent', async (t) => {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const { key, nonce } = aSessionKey(service)
  const now = service.world.now()
  const own = signServiceOidcToken(
    {
      issuer: serviceIssuers.OAUTH2_PROVIDER_X,
      audience: 'app',
      subject: '4711',
      issuedAt: now,
      expiresAt: now + 900_000,
      nonce,
    },
    p256Signer(keyring.serviceSecret('otp')),
  )
  const foreign = await issuer.token({ subject: 'ada', nonce })

  for (const [token, asked] of [
    [foreign, 1],
    [own, 0],
  ] as const) {
    const ada = await aCustomer(service, { oauthProviders: [{ providerName: 'Mine', oidcToken: token }] })
    const before = questions.length
    const { status, text } = await logIn(service, token, key, service.organizationId)
    assert.equal(status, 200, text)
    assert.equal(questions.length - before, asked)
    const { json } = await service.query({ ...ada, key }, 'whoami')
    assert.equal(json.userId, ada.userId)
  }
})

test('whether an identity token is accepted is asked of the parent, also where the host leaves it out', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const { key, nonce } = aSessionKey(service)
  const token = await issuer.token({ subject: 'ada', nonce })
  const ada = await aCustomer(service, { oauthProviders: [{ providerName: 'Mine', oidcToken: token }] })
  const { organizationId } = ada
  const body = JSON.stringify({
    type: LOGIN,
    timestampMs: String(service.world.now()),
    organizationId,
    parameters: { publicKey: key.publicKey },
  })
  const { 'X-Stamp-Attested': xStampAttested = '' } = attestedBy(token, key, body)
  const charters = [present(await service.store.charter(organizationId), 'the charter')]
  const stamp = { xStampAttested }
  const decision = await service.vault.decide({ body, stamp, charters, rows: {}, taken: {} })
  assert.ok(decision.kind === 'needs', decision.kind)
  assert.deepEqual(decision.charters, [service.organizationId])
})

test('a login is charged with the keys of the issuer that are read for it, in each of the three ways', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const { key, publicKey, nonce } = aSessionKey(service)
  const token = await issuer.token({ subject: 'ada', nonce })
  const { organizationId } = await aCustomer(service, {
    oauthProviders: [{ providerName: 'Mine', oidcToken: token }],
  })
  const charters = await Promise.all(
    [organizationId, service.organizationId].map(async (id) =>
      present(await service.store.charter(id), 'the charter'),
    ),
  )
  const request = (type: string, parameters: object) =>
    JSON.stringify({ type, timestampMs: String(service.world.now()), organizationId, parameters })
  const byParent = (type: string, parameters: object) => {
    const body = request(type, parameters)
    return { body, stamp: { xStamp: stampWith(service.root.key, body).stampHeaderValue } }
  }
  const own = request(LOGIN, { publicKey })
  const { 'X-Stamp-Attested': xStampAttested = '' } = attestedBy(token, key, own)
  for (const sent of [
    { body: own, stamp: { xStampAttested } },
    byParent('ACTIVITY_TYPE_OAUTH_LOGIN', { oidcToken: token, publicKey }),
    byParent('ACTIVITY_TYPE_OAUTH', { oidcToken: token, targetPublicKey: publicKey }),
  ]) {
    const costWith = async (text: string) => {
      const answers = questionsAbout([token]).map(
        (question) => ({ question, answer: { kind: 'answered', text } }) as const,
      )
      const decision = await service.vault.decide({ ...sent, charters, rows: {}, taken: {}, answers })
      assert.equal(decision.kind, 'refused', JSON.stringify(decision))
      return decision.cost
    }
    const many = await costWith(JSON.stringify({ keys: [], more: 'x'.repeat(200_000) }))
    const few = await costWith('{"keys":[]}')
    assert.ok(many - few >= 10_000, `${many} and ${few}`)
  }
})

test('a token that is bound to another key, expired, re-signed or of nobody here stamps nothing', async (t) => {
  const { service, issuer, questions } = await aServiceWithIssuer(t)
  const { key, nonce } = aSessionKey(service)
  const oidcToken = await issuer.token({ subject: 'ada', nonce })
  const ada = await aCustomer(service, { oauthProviders: [{ providerName: 'Mine', oidcToken }] })
  const exp = Math.floor(service.world.now() / 1000) + 600
  const claims = { iss: issuer.issuer, aud: 'web', sub: 'ada', nonce, exp }
  const [header, , signature] = oidcToken.split('.')
  const changed = Buffer.from(JSON.stringify({ ...claims, exp: exp + 1 })).toString('base64url')
  const refused: readonly (readonly [string, number])[] = [
    [await issuer.sign({ ...claims, nonce: 'other' }), 401],
    [await issuer.sign({ ...claims, exp: 1 }), 400],
    [`${header}.${changed}.${signature}`, 400],
    [await issuer.sign({ iss: serviceIssuers.OAUTH2_PROVIDER_X, aud: 'app', sub: '4711', exp, iat: 1 }), 401],
  ]

  for (const [token, expected] of refused) {
    const { status, text } = await logIn(service, token, key, ada.organizationId)
    assert.equal(status, expected, text)
  }
  const asked = questions.length
  const stranger = await issuer.sign({ ...claims, sub: 'bob' })
  assert.equal((await logIn(service, stranger, key, ada.organizationId)).status, 401)
  assert.equal((await logIn(service, oidcToken, service.newKey(), ada.organizationId)).status, 401)
  assert.ok(questions.length <= asked + 1, 'no issuer is asked about a stranger')
  assert.equal((await logIn(service, oidcToken, key, ada.organizationId)).status, 200)
})

test('a forged token tells whether its account is known here, and neither whose it is nor where', async (t) => {
  const { service, issuer } = await aServiceWithIssuer(t)
  const { key, nonce } = aSessionKey(service)
  const oidcToken = await issuer.token({ subject: 'ada', nonce })
  const ada = await aCustomer(service, { oauthProviders: [{ providerName: 'Mine', oidcToken }] })
  const [header, , signature] = oidcToken.split('.')
  const forged = (sub: string) => {
    const claims = { iss: issuer.issuer, aud: 'web', sub, nonce, iat: 1, exp: 2 ** 31 }
    return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
  }
  const known = await logIn(service, forged('ada'), key, service.organizationId)
  assert.deepEqual([known.status, known.json.turnkeyErrorCode], [400, 'INVALID_OIDC_TOKEN'])
  for (const id of [ada.organizationId, ada.userId]) assert.ok(!known.text.includes(id), known.text)
  const unknown = await logIn(service, forged('bob'), key, service.organizationId)
  assert.deepEqual([unknown.status, unknown.json.turnkeyErrorCode], [401, 'CREDENTIAL_NOT_FOUND'])
})
