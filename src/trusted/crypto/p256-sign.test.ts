import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { toHex } from '../base/bytes.ts'
import { blindOf } from './blind.ts'
import { signP256Digest } from './p256-sign.ts'
import { nonces } from './rfc6979.ts'
import { isScalar, P256_ORDER } from './scalar.ts'
import { watchedField } from './testing/watched-field.ts'

const scalars = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => isScalar(bytes, P256_ORDER))
const digests = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  // At and above the order, where the digest has to be reduced.
  fc.constantFrom(P256_ORDER, new Uint8Array(32).fill(255), new Uint8Array(32)),
)

function nobleSignature(secret: Uint8Array, digest: Uint8Array): string {
  return toHex(p256.sign(digest, secret, { prehash: false, lowS: true, format: 'recovered' }))
}

test('a P-256 signature is that of noble, to the bit', () => {
  fc.assert(
    fc.property(scalars, digests, (secret, digest) => {
      const { rs, recovery } = signP256Digest(secret, digest)
      assert.equal(toHex(Uint8Array.of(recovery, ...rs)), nobleSignature(secret, digest))
    }),
    { numRuns: 500 },
  )
})

// RFC 6979, appendix A.2.5, SHA-256 of "sample"; s is the low one of the two.
test('a P-256 signature has the nonce of RFC 6979', () => {
  const secret = Buffer.from('c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721', 'hex')
  const digest = Buffer.from('af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf', 'hex')
  const { rs } = signP256Digest(secret, digest)
  assert.equal(toHex(rs.subarray(0, 32)), 'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716')
})

test('arithmetic of a P-256 signature meets the secret and the nonce only to blind them', () => {
  fc.assert(
    fc.property(scalars, digests, (secret, digest) => {
      const { Fn } = p256.Point
      const [nonce] = nonces(secret, digest, P256_ORDER)
      assert.ok(nonce)
      const blind = blindOf(Fn, nonce, digest)
      const secrets = [secret, nonce].map((bytes) => Fn.create(BigInt(`0x${toHex(bytes)}`)))
      const { watched, products, others } = watchedField(Fn)
      signP256Digest(secret, digest, watched)
      const met = products.filter((pair) => pair.some((number) => secrets.includes(number)))
      assert.deepEqual(
        new Set(met.map(([number, factor]) => `${number} ${factor}`)),
        new Set(secrets.map((number) => `${number} ${blind}`)),
      )
      assert.ok(!others.some((number) => secrets.includes(number)))
      assert.notEqual(blind, 1n)
    }),
    { numRuns: 50 },
  )
})
