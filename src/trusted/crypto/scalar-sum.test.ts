import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHex } from '../base/bytes.ts'
import { P256_ORDER, SECP256K1_ORDER } from './scalar.ts'
import { addScalars } from './scalar-sum.ts'

for (const [name, order] of Object.entries({ secp256k1: SECP256K1_ORDER, 'P-256': P256_ORDER })) {
  const n = BigInt(`0x${toHex(order)}`)

  test(`sums modulo the order of ${name} are those of whole numbers`, () => {
    const near = fc.bigInt(0n, 300n)
    const scalar = fc.oneof(
      fc.bigInt(0n, n - 1n),
      near,
      near.map((small) => n - 1n - small),
      fc.nat(255).map((bit) => (1n << BigInt(bit)) % n),
    )
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        assert.equal(toHex(addScalars(bytesOf(a), bytesOf(b), order)), digits((a + b) % n))
        assert.equal(toHex(addScalars(bytesOf(a), bytesOf(n - a), order)), digits(0n))
      }),
      { numRuns: 2000 },
    )
  })
}

function digits(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

function bytesOf(value: bigint): Uint8Array {
  return Buffer.from(digits(value), 'hex')
}
