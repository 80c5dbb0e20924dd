import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import { CURVES } from './curve.ts'
import { curves } from './curves.ts'
import { hex, seededBytes } from './testing/vectors.ts'

test('each curve makes a key, signs with it, and reads its public key back', () => {
  const random = seededBytes(1)
  for (const curve of CURVES) {
    const { generate, isSecret, publicKeyOf, readPublicKey, signer } = curves[curve]
    const secret = generate(random)
    assert.ok(isSecret(secret))
    const publicKey = publicKeyOf(secret)
    assert.equal(readPublicKey(publicKey.toUpperCase()), publicKey)
    const digest = random(32)
    const signature = signer(secret).sign(digest)
    assert.match(signature.r, /^[0-9a-f]{64}$/)
    assert.match(signature.s, /^[0-9a-f]{64}$/)
    assert.match(signature.v, curve === 'CURVE_ED25519' ? /^00$/ : /^0[01]$/)
    assert.deepEqual(signer(secret, publicKey).sign(digest), signature)
    assert.equal(signer(secret).publicKey, publicKey)
  }
})

test('many are signed as one at a time, in their order', () => {
  const random = seededBytes(2)
  for (const curve of CURVES) {
    const { sign, signAll } = curves[curve].signer(curves[curve].generate(random))
    for (const count of [0, 1, 2, 3, 50]) {
      const digests = Array.from({ length: count }, () => random(32))
      assert.deepEqual(signAll(digests), digests.map(sign))
    }
    const same = random(32)
    assert.deepEqual(signAll([same, same]), [sign(same), sign(same)])
  }
})

test('many that do not verify under the stated key are never returned', () => {
  const secret = hex('01'.repeat(32))
  for (const curve of CURVES) {
    const { publicKeyOf, signer } = curves[curve]
    const digests = ['aa', 'bb'].map((byte) => hex(byte.repeat(32)))
    assert.equal(signer(secret, publicKeyOf(secret)).signAll(digests).length, 2)
    assert.throws(() => signer(secret, publicKeyOf(hex('02'.repeat(32)))).signAll(digests), Bug)
  }
})

test('r and s keep their leading zeros', () => {
  const { sign } = curves.CURVE_SECP256K1.signer(hex('01'.repeat(32)))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
      const { r, s } = sign(digest)
      assert.equal(r.length + s.length, 128)
    }),
    { numRuns: 600 },
  )
})

test('a digest that is not 32 bytes is a bug', () => {
  for (const curve of ['CURVE_SECP256K1', 'CURVE_P256'] as const) {
    const { sign, signAll } = curves[curve].signer(hex('01'.repeat(32)))
    for (const length of [0, 31, 33, 64]) {
      assert.throws(() => sign(new Uint8Array(length)), Bug)
      assert.throws(() => signAll([new Uint8Array(32), new Uint8Array(length)]), Bug)
    }
  }
})

test('a signature is the same each time, so a request made again gives it again', () => {
  for (const curve of CURVES) {
    const { sign } = curves[curve].signer(hex('0a'.repeat(32)))
    assert.deepEqual(sign(hex('bb'.repeat(32))), sign(hex('bb'.repeat(32))))
  }
})
