import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import { utf8 } from '../base/bytes.ts'
import { CURVES } from './curve.ts'
import { curves, signDigest, signMessage } from './sign-payload.ts'
import { hex, seededBytes } from './vectors-for-tests.ts'

test('each curve makes a key, signs with it, and reads its public key back', () => {
  const random = seededBytes(1)
  for (const curve of CURVES) {
    const { generate, isSecret, publicKeyOf, readPublicKey, signer, sign } = curves[curve]
    const secret = generate(random)
    assert.ok(isSecret(secret))
    const publicKey = publicKeyOf(secret)
    assert.equal(readPublicKey(publicKey.toUpperCase()), publicKey)
    const digest = random(32)
    const signature = sign(secret, digest)
    assert.match(signature.r, /^[0-9a-f]{64}$/)
    assert.match(signature.s, /^[0-9a-f]{64}$/)
    assert.match(signature.v, curve === 'CURVE_ED25519' ? /^00$/ : /^0[01]$/)
    assert.deepEqual(sign(secret, digest, publicKey), signature)
    assert.deepEqual(signer(secret, publicKey).sign(digest), signature)
    assert.equal(signer(secret).publicKey, publicKey)
  }
})

test('r and s keep their leading zeros', () => {
  const { sign } = curves.CURVE_SECP256K1
  const secret = hex('01'.repeat(32))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
      const { r, s } = sign(secret, digest)
      assert.equal(r.length + s.length, 128)
    }),
    { numRuns: 600 },
  )
})

test('a digest that is not 32 bytes is a bug', () => {
  const secret = hex('01'.repeat(32))
  for (const curve of ['CURVE_SECP256K1', 'CURVE_P256'] as const) {
    for (const length of [0, 31, 33, 64]) {
      assert.throws(() => signDigest(curve, secret, new Uint8Array(length)), Bug)
      assert.throws(() => curves[curve].signer(secret).sign(new Uint8Array(length)), Bug)
    }
  }
})

test('a signature is the same each time, so a request made again gives it again', () => {
  const secret = hex('0a'.repeat(32))
  for (const curve of CURVES) {
    const { sign } = curves[curve]
    assert.deepEqual(sign(secret, hex('bb'.repeat(32))), sign(secret, hex('bb'.repeat(32))))
  }
  assert.deepEqual(
    signMessage(secret, utf8('any length')),
    curves.CURVE_ED25519.sign(secret, utf8('any length')),
  )
})
