import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { test } from 'node:test'
import { verifyOtpVerificationToken } from '@turnkey/crypto'
import fc from 'fast-check'
import { present } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { writeJwt } from './jwt.ts'
import { p256Signer, p256UncompressedKeyOf, p256VerifyKey } from './p256.ts'
import { hex, vectorTest } from './testing/vectors.ts'
import {
  peekVerificationToken,
  readVerificationToken,
  signVerificationToken,
  type VerificationToken,
} from './verification-token.ts'

const secret = hex('33'.repeat(32))
const signer = p256Signer(secret)
const publicKey = toHex(p256UncompressedKeyOf(secret))
const verifyKey = present(p256VerifyKey(publicKey), 'a key')
const now = 1_800_000_000_000

const token: VerificationToken = {
  id: '7d2e3b6c-0f1a-4c6d-9d53-2b1f6a7c8d9e',
  organizationId: 'f9e6a1c2-5b1d-4c8e-9a57-3d1c0b2e4f60',
  verificationType: 'OTP_TYPE_EMAIL',
  contact: 'user@example.com',
  publicKey: '0318f124e0b4a6d964cefc8453ed903d52f1b8c85258fe5b2459776c0630dc02fe',
  expiresAt: 4_102_444_800_000,
}

const claims = {
  exp: '4102444800000',
  id: token.id,
  organization_id: token.organizationId,
  verification_type: token.verificationType,
  contact: token.contact,
}

const refusal = async (jwt: string, at = now): Promise<string> => {
  try {
    await readVerificationToken(jwt, [verifyKey], at)
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.match(error.message, /^invalid verification token: /)
    return error.kind
  }
  return 'none'
}

/** Signed as it should be, whatever it says. */
const signed = (payload: JsonObject, header: JsonObject = { typ: 'JWT', alg: 'ES256' }): string =>
  writeJwt({ header, payload }, (bytes) => signer.sign(hash('sha256', bytes, 'buffer')))

test('a published client verifies a token that is bound to a key', async () => {
  const read = await verifyOtpVerificationToken(signVerificationToken(token, signer), publicKey)
  assert.deepEqual(read, { ...claims, public_key: token.publicKey })
})

test('reading what was signed gives it back, for any contact', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.boolean(),
      async (contact, isBound) => {
        const { publicKey: bound, ...unbound } = token
        const written = { ...(isBound ? { ...unbound, publicKey: bound ?? '' } : unbound), contact }
        const jwt = signVerificationToken(written, signer)
        assert.deepEqual(await readVerificationToken(jwt, [verifyKey], now), written)
        assert.deepEqual(peekVerificationToken(jwt), written)
      },
    ),
    { numRuns: 30 },
  )
})

test('a token holds until its last millisecond, and not at it', async () => {
  const jwt = signVerificationToken(token, signer)
  assert.equal(await refusal(jwt, token.expiresAt - 1), 'none')
  assert.equal(await refusal(jwt, token.expiresAt), 'verificationTokenExpired')
})

test('a header that says anything else is refused, however it is signed', async () => {
  const bad: readonly JsonObject[] = [
    { typ: 'JWT', alg: 'none' },
    { typ: 'JWT', alg: 'HS256' },
    { typ: 'JWT', alg: 'ES384' },
    { typ: 'JWT', alg: 'es256' },
    { alg: 'ES256' },
    { typ: 'JWT' },
    { typ: 'JWT', alg: 'ES256', kid: '1' },
    { typ: 'JWT', alg: 'ES256', jwk: {} },
    { typ: 'JWT', alg: 'ES256', crit: ['exp'] },
    { typ: 'JWT', alg: ['ES256'] },
  ]
  for (const header of bad)
    assert.equal(await refusal(signed(claims, header)), 'verificationTokenMalformed', JSON.stringify(header))
  assert.equal(await refusal(signed(claims, { alg: 'ES256', typ: 'JWT' })), 'none')
})

test('a token that is not signed by the key is refused', async () => {
  const jwt = signVerificationToken(token, signer)
  const [header, payload, signature] = jwt.split('.')
  const other = signVerificationToken({ ...token, contact: 'other@example.com' }, signer).split('.')
  const mac = createHmac('sha256', Buffer.from(publicKey, 'hex')).update(`${header}.${payload}`).digest()
  const unsigned = [
    signVerificationToken(token, p256Signer(hex('34'.repeat(32)))),
    `${header}.${other[1]}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}.${mac.toString('base64url')}`,
    `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    `${header}.${payload}.${Buffer.from(signature ?? '', 'base64url')
      .subarray(0, 63)
      .toString('base64url')}`,
    `${header}.${payload}.${Buffer.concat([Buffer.from(signature ?? '', 'base64url'), Buffer.of(0)]).toString('base64url')}`,
  ]
  for (const text of unsigned)
    assert.equal(await refusal(text), 'verificationTokenSignatureNotVerified', text)
})

test('a second spelling of a token is refused', async () => {
  const jwt = signVerificationToken(token, signer)
  for (const text of [
    `${jwt}==`,
    `${jwt}.`,
    ` ${jwt}`,
    `${jwt}\n`,
    jwt.replace('.', '=.'),
    `${jwt.slice(0, -1)}B`,
  ])
    assert.equal(await refusal(text), 'verificationTokenMalformed', text)
})

test('a claim that is missing or of another type is refused, though it is signed', async () => {
  const bad: readonly JsonObject[] = [
    ...Object.keys(claims).map((name) =>
      Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name)),
    ),
    ...Object.keys(claims).map((name) => ({ ...claims, [name]: 4102444800000 })),
    ...Object.keys(claims).map((name) => ({ ...claims, [name]: '' })),
    ...['04102444800000', '1e15', '-1', '4102444800000.0', 'Infinity', '9'.repeat(16)].map((exp) => ({
      ...claims,
      exp,
    })),
    ...['', '02', `04${'ab'.repeat(64)}`, 5, null].map((key) => ({ ...claims, public_key: key })),
  ]
  for (const payload of bad)
    assert.equal(await refusal(signed(payload)), 'verificationTokenMalformed', JSON.stringify(payload))
})

test('any text is refused cleanly', async () => {
  const segment = fc.oneof(
    fc.base64String(),
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
  )
  const jwtLike = fc.tuple(segment, segment, segment).map((segments) => segments.join('.'))
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), jwtLike), async (text) => {
      assert.notEqual(await refusal(text), 'none')
      assert.equal(peekVerificationToken(text), undefined)
    }),
  )
})

type Kats = {
  readonly verificationToken: {
    readonly jwt: string
    readonly published: { readonly jwt: string; readonly signerPublicKey: string }
  }
}

vectorTest<Kats>(
  'the known tokens are read, and one is ours but for its signature',
  'facts/crypto-kats.json',
  async ({ verificationToken: { jwt, published } }) => {
    assert.deepEqual(await readVerificationToken(jwt, [verifyKey], now), token)
    const ours = signVerificationToken(token, signer)
    assert.deepEqual(ours.split('.').slice(0, 2), jwt.split('.').slice(0, 2))
    const key = present(p256VerifyKey(published.signerPublicKey), 'a key')
    assert.equal((await readVerificationToken(published.jwt, [key], 0)).contact, 'user@example.com')
  },
)
