import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { blindOf } from './blind.ts'
import { signaturesAgree, signedAndChecked } from './ecdsa-check.ts'
import { isScalar, P256_ORDER, SECP256K1_ORDER } from './scalar.ts'
import { watchedField } from './testing/watched-field.ts'

const bytes32 = () => fc.uint8Array({ minLength: 32, maxLength: 32 })

for (const [name, noble, order] of [
  ['P-256', p256, P256_ORDER],
  ['secp256k1', secp256k1, SECP256K1_ORDER],
] as const) {
  const { Fn, BASE } = noble.Point
  const curve = {
    Fn,
    multipleOfG: (scalar: Uint8Array) => BASE.multiply(Fn.fromBytes(scalar)).toBytes(true),
  }
  const isSecret = (bytes: Uint8Array) => isScalar(bytes, order)
  const signedBy = (secret: Uint8Array) => (digest: Uint8Array) => {
    const signed = noble.sign(digest, secret, { prehash: false, format: 'recovered' })
    return { digest, rs: signed.subarray(1), recovery: signed[0] ?? 0 }
  }

  test(`${name}: a signature with the higher s verifies, and is not let out`, () => {
    fc.assert(
      fc.property(bytes32().filter(isSecret), bytes32(), (secret, digest) => {
        const key = { secret, publicKey: noble.getPublicKey(secret) }
        const { rs, recovery } = signedBy(secret)(digest)
        const low = Fn.fromBytes(rs.subarray(32))
        const higher = new Uint8Array([...rs.subarray(0, 32), ...Fn.toBytes(Fn.neg(low))])
        const out = (halves: Uint8Array, odd: number) => () =>
          signedAndChecked(curve, key, [digest], () => ({ rs: halves, recovery: odd }))
        assert.doesNotThrow(out(rs, recovery))
        assert.ok(signaturesAgree(curve, key, [{ digest, rs: higher, recovery: 1 - recovery }]))
        assert.throws(out(higher, 1 - recovery), /the lower s/)
      }),
    )
  })

  test(`${name}: arithmetic of the check meets the secret only to blind it`, () => {
    fc.assert(
      fc.property(bytes32().filter(isSecret), bytes32(), bytes32(), (secret, one, another) => {
        const signed = [one, another].map(signedBy(secret))
        const { watched, products, others } = watchedField(Fn)
        const key = { secret, publicKey: noble.getPublicKey(secret) }
        assert.ok(signaturesAgree({ ...curve, Fn: watched }, key, signed))
        const d = Fn.fromBytes(secret)
        const met = products.filter((pair) => pair.includes(d))
        assert.deepEqual(
          met,
          signed.map(({ rs }) => [d, blindOf(Fn, secret, rs)]),
        )
        assert.ok(!others.includes(d))
      }),
      { numRuns: 50 },
    )
  })

  test(`${name}: the check after signing says what verification says, of one and of many`, () => {
    const flips = fc.record({ part: fc.constantFrom('none', 'r', 's', 'digest', 'secret'), bit: fc.nat(255) })
    const digests = fc.array(bytes32(), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(bytes32().filter(isSecret), digests, fc.nat(), flips, (secret, all, at, { part, bit }) => {
        const publicKey = noble.getPublicKey(secret)
        const signed = all.map(signedBy(secret))
        const bent = signed[at % signed.length]
        assert.ok(bent)
        const { digest, rs } = bent
        const parts = { none: new Uint8Array(32), r: rs.subarray(0, 32), s: rs.subarray(32), digest, secret }
        const target = parts[part as keyof typeof parts]
        target[bit >> 3] = (target[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        if (!isSecret(secret)) return
        const verifies =
          part !== 'secret' && noble.verify(rs, digest, publicKey, { prehash: false, lowS: false })
        const agrees = signaturesAgree(curve, { secret, publicKey }, signed)
        assert.equal(agrees, verifies)
        assert.equal(agrees, part === 'none')
        const other = signed.map((item) => (item === bent ? { ...item, recovery: 1 - item.recovery } : item))
        assert.ok(!signaturesAgree(curve, { secret, publicKey }, other))
      }),
      { numRuns: 60 },
    )
  })

  test(`${name}: numbers outside of 1 to n-1 are no signature`, () => {
    const secret = new Uint8Array(32).fill(1)
    const key = { secret, publicKey: noble.getPublicKey(secret) }
    const honest = signedBy(secret)(new Uint8Array(32).fill(2))
    assert.ok(signaturesAgree(curve, key, [honest, honest]))
    for (const bad of [new Uint8Array(32), order, new Uint8Array(32).fill(0xff)]) {
      for (const place of [0, 32]) {
        const rs = Uint8Array.from(honest.rs)
        rs.set(bad, place)
        assert.ok(!signaturesAgree(curve, key, [honest, { ...honest, rs }]))
      }
    }
  })
}
