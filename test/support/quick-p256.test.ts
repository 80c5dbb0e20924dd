import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { quickP256PublicKey, quickP256Signature } from './quick-p256.ts'
import { seeded } from './seeded.ts'

test('what the tests stamp with is ECDSA on P-256, and the same for the same bytes', () => {
  const random = seeded('quick')
  for (let at = 0; at < 200; at++) {
    const [privateKey, body] = [random.bytes(32), random.bytes(at)]
    if (!p256.utils.isValidSecretKey(privateKey)) continue
    const signature = quickP256Signature(body, privateKey)
    const publicKey = p256.getPublicKey(privateKey, true)
    assert.deepEqual(Buffer.from(quickP256PublicKey(privateKey)), Buffer.from(publicKey))
    const strict = { prehash: false, lowS: false, format: 'der' } as const
    assert.ok(p256.verify(signature, sha256(body), publicKey, strict))
    assert.deepEqual(quickP256Signature(body, privateKey), signature)
    assert.notDeepEqual(quickP256Signature(random.bytes(at + 1), privateKey), signature)
  }
})
