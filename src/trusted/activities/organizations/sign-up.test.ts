import assert from 'node:assert/strict'
import { createPrivateKey, sign } from 'node:crypto'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { present } from '../../base/assert.ts'
import { toHex } from '../../base/bytes.ts'
import { Secret } from '../../base/secret.ts'
import { p256Signer } from '../../crypto/p256.ts'
import { signVerificationToken, type VerificationToken } from '../../crypto/verification-token.ts'
import { readCharter } from '../../charter/charter-document.ts'
import { openKeyring } from '../../vault/keys/keyring.ts'
import { aService, type Response, type TestService } from '../../../../test/support/service.ts'
import { createAuthenticator } from '../../../../test/support/software-authenticator.ts'
import { limits } from '../../charter/limits.ts'
import { CREATE_SUB_ORGANIZATION, rootUser } from './testing/sub-organization.ts'

const V7 = CREATE_SUB_ORGANIZATION.replace('V8', 'V7')
const EMAIL = 'ada@example.com'
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])
const tokenSigner = p256Signer(keyring.serviceSecret('otp'))

/** What a browser has after `verify_otp`: a key, and a token that is bound to it. */
function aProvenContact(service: TestService, more: Partial<VerificationToken> = {}) {
  const secret = service.world.randomBytes(32)
  const publicKey = toHex(p256.getPublicKey(secret))
  const id = `0198c5a0-7d3c-7000-8000-${toHex(service.world.randomBytes(6))}`
  const token: VerificationToken = {
    id,
    organizationId: service.organizationId,
    verificationType: 'OTP_TYPE_EMAIL',
    contact: EMAIL,
    publicKey,
    expiresAt: service.world.now() + 3_600_000,
    ...more,
  }
  const signed = (message: string) => ({
    publicKey,
    scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
    message,
    signature: toHex(p1363(secret, message)),
  })
  return { id, publicKey, verificationToken: signVerificationToken(token, tokenSigner), signed }
}

/** r ‖ s over SHA-256, as clients sign. */
function p1363(secret: Uint8Array, message: string): Uint8Array {
  const point = Buffer.from(p256.getPublicKey(secret, false))
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: Buffer.from(secret).toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  return sign('sha256', Buffer.from(message), { key, dsaEncoding: 'ieee-p1363' })
}

/** As the published client builds it. */
function messageOf(tokenId: string, usage: object, name = 'signupV2'): string {
  return JSON.stringify({ [name]: usage, tokenId, type: 'USAGE_TYPE_SIGNUP' })
}

async function signUp(
  service: TestService,
  rootUsers: readonly object[],
  more: object,
  type = CREATE_SUB_ORGANIZATION,
): Promise<Response> {
  service.world.advance(1)
  const parameters = { subOrganizationName: 'Sub', rootQuorumThreshold: 1, rootUsers, ...more }
  return await service.submit(service.root, type, parameters)
}

async function verified(service: TestService, filterType = 'EMAIL', filterValue = EMAIL) {
  return (await service.query(service.root, 'list_verified_suborgs', { filterType, filterValue })).json
    .organizationIds
}

/** A root user and what the client signs about them. */
function ada(service: TestService, more: object = { userEmail: EMAIL }) {
  const user = rootUser('Ada', service.newKey(), more)
  // `rootUser` makes the lists that a client makes.
  const { apiKeys, authenticators, oauthProviders } = user as Record<string, unknown>
  return { user, usage: { apiKeys, authenticators, oauthProviders, email: EMAIL } }
}

test('who signs up with a contact they have proven is found by it', async (t) => {
  const service = await aService()
  t.after(service.close)
  const made: string[] = []
  for (const [type, name] of [
    [CREATE_SUB_ORGANIZATION, 'signupV2'],
    [V7, 'signup'],
    [V7, 'signupV2'],
  ] as const) {
    const { user, usage } = ada(service)
    const { id, verificationToken, signed } = aProvenContact(service)
    const clientSignature = signed(messageOf(id, usage, name))

    const { json, text } = await signUp(service, [user], { verificationToken, clientSignature }, type)

    assert.equal(json.activity?.status, 'ACTIVITY_STATUS_COMPLETED', text)
    made.push(json.activity.result[`createSubOrganizationResult${type.slice(-2)}`].subOrganizationId)
  }
  assert.deepEqual(await verified(service), made)
  assert.deepEqual(await verified(service, 'EMAIL', 'ADA@Example.com'), made)
  assert.deepEqual(await verified(service, 'EMAIL', 'other@example.com'), [])
})

test('without a token an address counts for nothing, and of several users the first is the one who proved it', async (t) => {
  const service = await aService()
  t.after(service.close)
  await signUp(service, [ada(service).user], { verificationToken: '' })
  assert.deepEqual(await verified(service), [])
  const phone = '+15551234567'
  const first = ada(service, { userPhoneNumber: phone })
  const second = rootUser('Ben', service.newKey(), { userPhoneNumber: phone })
  const { id, verificationToken, signed } = aProvenContact(service, {
    verificationType: 'OTP_TYPE_SMS',
    contact: phone,
  })
  const { email: _, ...usage } = first.usage
  const clientSignature = signed(messageOf(id, { ...usage, phoneNumber: phone }))
  const other = rootUser('Cleo', service.newKey())

  const { status, text } = await signUp(service, [other, first.user, second], {
    verificationToken,
    clientSignature,
  })

  assert.equal(status, 200, text)
  const found = await verified(service, 'PHONE_NUMBER', phone)
  assert.equal(found.length, 1)
  const { users } = readCharter(present(await service.store.charter(found[0]), 'the new charter').body)
  assert.deepEqual(
    users.map(({ userName, phoneNumberVerified }) => [userName, phoneNumberVerified]),
    [
      ['Cleo', false],
      ['Ada', true],
      ['Ben', false],
    ],
  )
})

test('the spelling of what was signed does not matter, and its content does', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { user, usage } = ada(service)
  const { id, verificationToken, signed } = aProvenContact(service)
  const attempt = async (message: string) =>
    await signUp(service, [user], { verificationToken, clientSignature: signed(message) })
  const wrong: readonly (readonly [string, RegExp])[] = [
    [messageOf(id, { ...usage, email: 'other@example.com' }), /other contacts or credentials/],
    [messageOf(id, { ...usage, apiKeys: [] }), /other contacts or credentials/],
    [messageOf(id, { ...usage, phoneNumber: '+15551234567' }), /other contacts or credentials/],
    [messageOf(id, { ...usage, surprise: 1 }), /the sign-up in the message cannot be read/],
    [messageOf('0198c5a0-7d3c-7000-8000-00000000dead', usage), /about another verification token/],
    [
      JSON.stringify({ login: { publicKey: '02' }, tokenId: id, type: 'USAGE_TYPE_LOGIN' }),
      /not about a sign-up/,
    ],
    ['{}', /"tokenId"/],
  ]
  for (const [message, why] of wrong) {
    const { status, json, text } = await attempt(message)
    assert.equal(status, 400, text)
    assert.match(json.message, /^invalid client signature: /)
    assert.match(json.message, why)
  }
  // Another order, other spaces, and what is empty left out or null.
  const { apiKeys, email } = usage
  const spelt = { type: 'USAGE_TYPE_SIGNUP', signupV2: { email, apiKeys, phoneNumber: null }, tokenId: id }
  const { status, text } = await attempt(JSON.stringify(spelt, undefined, 2))
  assert.equal(status, 200, text)
})

test('all that a user may have at once fits into the message that the client signs', async (t) => {
  const service = await aService()
  t.after(service.close)
  const apiKeys = Array.from({ length: limits.longLivedApiKeysPerUser }, (_, n) => ({
    apiKeyName: `${n}`.padEnd(255, '.'),
    publicKey: service.newKey().publicKey,
    curveType: 'API_KEY_CURVE_P256',
  }))
  const challenge = 'AAAA'
  const authenticators = Array.from({ length: limits.authenticatorsPerUser }, (_, n) => ({
    authenticatorName: `${n}`.padEnd(255, '.'),
    challenge,
    // As much as a passkey in a TPM sends with its certificates.
    attestation: createAuthenticator({ randomBytes: service.world.randomBytes }).register(
      challenge,
      'http://localhost',
      { clientData: { filler: '.'.repeat(6_000) } },
    ),
  }))
  const { user, usage } = ada(service, { userEmail: EMAIL, apiKeys, authenticators })
  const { id, verificationToken, signed } = aProvenContact(service)
  const message = messageOf(id, usage)
  assert.ok(message.length > 80_000)

  const { status, text } = await signUp(service, [user], {
    verificationToken,
    clientSignature: signed(message),
  })

  assert.equal(status, 200, text)
  assert.equal((await verified(service)).length, 1)
})

test('a token signs up once, also when it is tried at the same time', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { user, usage } = ada(service)
  const { id, verificationToken, signed } = aProvenContact(service)
  const clientSignature = signed(messageOf(id, usage))

  const attempts = await Promise.all(
    Array.from({ length: 5 }, async (_, index) =>
      service.submit(service.root, CREATE_SUB_ORGANIZATION, {
        subOrganizationName: `Sub ${index}`,
        rootQuorumThreshold: 1,
        rootUsers: [user],
        verificationToken,
        clientSignature,
      }),
    ),
  )

  assert.deepEqual(attempts.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400])
  for (const { status, json } of attempts)
    if (status === 400) assert.equal(json.message, 'invalid verification token: it has been used already')
  assert.equal((await verified(service)).length, 1)
})

test('tokens that are unbound, foreign, expired, about nobody or not the service’s own prove nothing', async (t) => {
  const service = await aService()
  t.after(service.close)
  const { user, usage } = ada(service)
  const attempt = async (
    more: Partial<VerificationToken>,
    options: { type?: string; signature?: boolean } = {},
  ) => {
    const { id, verificationToken, signed } = aProvenContact(service, more)
    const clientSignature = signed(messageOf(id, usage))
    return await signUp(
      service,
      [user],
      { verificationToken, ...(options.signature === false ? {} : { clientSignature }) },
      options.type,
    )
  }
  const { publicKey: _, ...unbound } = {
    id: '0198c5a0-7d3c-7000-8000-000000000abc',
    organizationId: service.organizationId,
    verificationType: 'OTP_TYPE_EMAIL',
    contact: EMAIL,
    publicKey: '',
    expiresAt: service.world.now() + 3_600_000,
  }
  const unboundToken = signVerificationToken(unbound, tokenSigner)
  const refused: readonly (readonly [Response, RegExp])[] = [
    [await attempt({}, { signature: false }), /^invalid client signature: it is missing/],
    [await attempt({}, { signature: false, type: V7 }), /^invalid client signature: it is missing/],
    [await attempt({ publicKey: service.newKey().publicKey }), /its key is not the one/],
    [await attempt({ organizationId: '0198c5a0-7d3c-7000-8000-00000000dead' }), /another organization/],
    [await attempt({ expiresAt: service.world.now() }), /it has expired/],
    [await attempt({ contact: 'bob@example.com' }), /no root user has the contact/],
    [await attempt({ verificationType: 'OTP_TYPE_SMS' }), /no root user has the contact/],
    [await signUp(service, [user], { verificationToken: unboundToken }), /bound to no key/],
    [await signUp(service, [user], { verificationToken: 'a.b.c' }), /^invalid verification token: malformed/],
    [
      await signUp(service, [user], { clientSignature: aProvenContact(service).signed('{}') }),
      /there is no verification token/,
    ],
  ]
  for (const [{ status, json, text }, message] of refused) {
    assert.equal(status, 400, text)
    assert.match(json.message, message)
  }
  assert.deepEqual(await verified(service), [])
  const older = await signUp(service, [user], { verificationToken: unboundToken }, V7)
  assert.equal(older.status, 200, older.text)
  assert.equal((await verified(service)).length, 1)
})

test('verified contacts are listed by a filter, which has to be one of the two', async (t) => {
  const service = await aService()
  t.after(service.close)
  for (const filter of [{}, { filterType: 'NAME', filterValue: 'x' }, { filterType: 'EMAIL' }]) {
    const { status, json } = await service.query(service.root, 'list_verified_suborgs', filter)
    assert.equal(status, 400)
    assert.match(json.message, /field `filter(Type|Value)` must/)
  }
})
