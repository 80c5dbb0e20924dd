import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signWithApiKey } from '@turnkey/api-key-stamper'
import fc from 'fast-check'
import { toHex, utf8 } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { type ClientSignature, readClientSignature } from './client-signature.ts'
import { p256PublicKeyOf, p256Signer, signP256Message } from './p256.ts'
import { readDer } from './der.ts'
import { P256_ORDER } from './scalar.ts'
import { hex, vectorTest } from './testing/vectors.ts'

const secret = hex('77'.repeat(32))
const signer = p256Signer(secret)
const sessionKey = '02e45054eb5b1abd976650f7f395bf51d0d8dd193e0174e7a14a1c8c127fbdf2db'
const login = { login: { publicKey: sessionKey }, tokenId: 't', type: 'USAGE_TYPE_LOGIN' }

function derOf(message: string): Uint8Array {
  return signP256Message(signer, utf8(message))
}

function signed(message: string): ClientSignature {
  return {
    publicKey: p256PublicKeyOf(secret),
    scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
    message,
    signature: toHex(readDer(derOf(message), P256_ORDER) ?? new Uint8Array(0)),
  }
}

const refusal = async (sent: ClientSignature): Promise<string> => {
  try {
    await readClientSignature(sent)
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.code, 3)
    return error.message.replace(/^invalid client signature: /, '')
  }
  return 'none'
}

test('a login is read, signed as r and s or as DER', async () => {
  const message = JSON.stringify(login)
  const usage = { kind: 'login', tokenId: 't', publicKey: sessionKey }
  assert.deepEqual(await readClientSignature(signed(message)), usage)
  assert.deepEqual(await readClientSignature({ ...signed(message), signature: toHex(derOf(message)) }), usage)
  const published = await signWithApiKey({
    content: message,
    publicKey: p256PublicKeyOf(secret),
    privateKey: toHex(secret),
  })
  assert.deepEqual(await readClientSignature({ ...signed(message), signature: published }), usage)
})

test('a sign-up is read in both forms, whatever the order and the spacing', async () => {
  const signup = { email: 'a@example.com', apiKeys: [{ apiKeyName: 'k' }] }
  assert.deepEqual(
    await readClientSignature(
      signed(JSON.stringify({ signupV2: signup, tokenId: 't', type: 'USAGE_TYPE_SIGNUP' })),
    ),
    { kind: 'signup', tokenId: 't', signup },
  )
  assert.deepEqual(
    await readClientSignature(
      signed(JSON.stringify({ type: 'USAGE_TYPE_SIGNUP', tokenId: 't', signup }, null, 2)),
    ),
    { kind: 'signup', tokenId: 't', signup },
  )
})

test('the signature is over the bytes as they were sent', async () => {
  const sent = signed(JSON.stringify(login))
  assert.equal(await refusal({ ...sent, message: JSON.stringify(login, null, 1) }), 'it does not verify')
  assert.equal(await refusal({ ...sent, message: `${sent.message} ` }), 'it does not verify')
})

test('what does not verify, or is of another scheme or key, is refused', async () => {
  const sent = signed(JSON.stringify(login))
  assert.match(await refusal({ ...sent, scheme: 'CLIENT_SIGNATURE_SCHEME_API_P384' }), /^the scheme/)
  assert.match(await refusal({ ...sent, publicKey: '' }), /^publicKey/)
  assert.match(await refusal({ ...sent, publicKey: `02${'ff'.repeat(32)}` }), /^publicKey/)
  assert.equal(
    await refusal({ ...sent, publicKey: sent.publicKey.replace(/^0./, '03') }),
    'it does not verify',
  )
  assert.match(await refusal({ ...sent, signature: 'xy' }), /^signature/)
  for (const signature of [
    '',
    '00'.repeat(64),
    sent.signature.slice(2),
    `${sent.signature}00`,
    `30${sent.signature}`,
  ])
    assert.equal(await refusal({ ...sent, signature }), 'it does not verify')
})

test('a signed message that is not wholly understood is refused', async () => {
  const bad: readonly unknown[] = [
    [],
    null,
    {},
    { ...login, tokenId: 1 },
    { ...login, type: 'USAGE_TYPE_SIGNUP' },
    { ...login, type: undefined },
    { ...login, login: undefined },
    { ...login, login: sessionKey },
    { ...login, login: { publicKey: 1 } },
    { ...login, login: { publicKey: sessionKey, more: 1 } },
    { ...login, signupV2: {} },
    { signupV3: {}, tokenId: 't', type: 'USAGE_TYPE_SIGNUP' },
    { signupV2: [], tokenId: 't', type: 'USAGE_TYPE_SIGNUP' },
    { signup: {}, signupV2: {}, tokenId: 't', type: 'USAGE_TYPE_SIGNUP' },
  ]
  for (const message of bad)
    assert.notEqual(await refusal(signed(JSON.stringify(message))), 'none', JSON.stringify(message))
  const twice = JSON.stringify(login).replace('{', '{"tokenId":"other",')
  assert.equal(await refusal(signed(twice)), 'the message is not a JSON object')
})

test('any object of texts is refused cleanly', async () => {
  const almost = fc.record({
    publicKey: fc.oneof(fc.string(), fc.constant(sessionKey)),
    scheme: fc.constant('CLIENT_SIGNATURE_SCHEME_API_P256'),
    message: fc.oneof(fc.string(), fc.json()),
    signature: fc.oneof(fc.string(), fc.uint8Array({ maxLength: 80 }).map(toHex)),
  })
  await fc.assert(fc.asyncProperty(almost, async (sent) => assert.notEqual(await refusal(sent), 'none')))
})

type Kats = { readonly clientSignature: ClientSignature }

vectorTest<Kats>(
  'the known client signature is read',
  'facts/crypto-kats.json',
  async ({ clientSignature }) => {
    assert.deepEqual(await readClientSignature(clientSignature), {
      kind: 'login',
      tokenId: '7d2e3b6c-0f1a-4c6d-9d53-2b1f6a7c8d9e',
      publicKey: sessionKey,
    })
  },
)
