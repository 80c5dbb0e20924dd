import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import fc from 'fast-check'
import { present } from '../base/assert.ts'
import { utf8 } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { openClientBundle, otpTargetBundle, quorumSigner } from './bundles.ts'
import { readOtpPlaintext } from './otp-plaintext.ts'
import { p256PublicKeyOf, readP256Key } from './p256.ts'
import { hex, vectorTest } from './testing/vectors.ts'

const signer = quorumSigner(hex('33'.repeat(32)))
const target = hex('aa'.repeat(32))
const targetKey = present(readP256Key(p256PublicKeyOf(target)), 'a key')
const organizationId = 'f9e6a1c2-5b1d-4c8e-9a57-3d1c0b2e4f60'
const publicKey = '0318f124e0b4a6d964cefc8453ed903d52f1b8c85258fe5b2459776c0630dc02fe'

const refusal = (bytes: Uint8Array): string => {
  try {
    readOtpPlaintext(bytes)
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.kind, 'bundleNotRead')
    return error.message
  }
  return 'none'
}

test('a code that a published client encrypts to the target opens and is read', async () => {
  const bundle = otpTargetBundle(targetKey, organizationId, signer)
  const sent = await encryptOtpCodeToBundle('X7K2', bundle, publicKey, signer.publicKey)
  assert.deepEqual(readOtpPlaintext(openClientBundle(sent, target)), { otpCode: 'X7K2', publicKey })
})

test('a published client refuses a target that another key signed', async () => {
  const bundle = otpTargetBundle(targetKey, organizationId, quorumSigner(hex('34'.repeat(32))))
  await assert.rejects(encryptOtpCodeToBundle('X7K2', bundle, publicKey, signer.publicKey))
})

test('the key is given compressed, in lowercase', () => {
  const { uncompressed } = present(readP256Key(publicKey), 'a key')
  for (const public_key of [publicKey.toUpperCase(), uncompressed])
    assert.equal(readOtpPlaintext(utf8(JSON.stringify({ otp_code: '1', public_key }))).publicKey, publicKey)
})

test('any bytes are read or fail cleanly', () => {
  const almost = fc.record({
    otp_code: fc.oneof(fc.integer(), fc.constant('1')),
    public_key: fc.oneof(fc.string(), fc.constant(`02${'ff'.repeat(32)}`), fc.constant(null)),
  })
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    almost.map((value) => JSON.stringify(value)),
  )
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), text.map(utf8)), (bytes) =>
      assert.notEqual(refusal(bytes), 'none'),
    ),
  )
  assert.match(refusal(utf8(`{"otp_code":"1","otp_code":"2","public_key":"${publicKey}"}`)), /JSON object$/)
})

type Kats = {
  readonly otp: {
    readonly otpEncryptionTargetBundle: string
    readonly encryptedOtpBundle: string
    readonly plaintextUtf8: string
  }
}

vectorTest<Kats>(
  'the known code is read, and its target is ours but for the signature',
  'facts/crypto-kats.json',
  ({ otp }) => {
    assert.deepEqual(readOtpPlaintext(openClientBundle(otp.encryptedOtpBundle, target)), {
      otpCode: '123456789',
      publicKey,
    })
    const ours: Record<string, string> = JSON.parse(otpTargetBundle(targetKey, organizationId, signer))
    const theirs: Record<string, string> = JSON.parse(otp.otpEncryptionTargetBundle)
    assert.deepEqual({ ...ours, dataSignature: '' }, { ...theirs, dataSignature: '' })
  },
)
