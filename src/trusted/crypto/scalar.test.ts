import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Bug } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import { P256_ORDER, randomScalar, SECP256K1_ORDER } from './scalar.ts'

test('the orders are those of the curves', () => {
  assert.equal(toHex(SECP256K1_ORDER), secp256k1.Point.Fn.ORDER.toString(16))
  assert.equal(toHex(P256_ORDER), p256.Point.Fn.ORDER.toString(16))
})

test('a random scalar is drawn again when it is out of range', () => {
  const draws = [new Uint8Array(32), Buffer.alloc(32, 0xff), P256_ORDER, Buffer.alloc(32, 7)]
  assert.equal(toHex(randomScalar(P256_ORDER, () => draws.shift() ?? new Uint8Array(32))), '07'.repeat(32))
  assert.equal(draws.length, 0)
})

test('a source that never gives a scalar is a bug, not an endless loop', () => {
  assert.throws(() => randomScalar(P256_ORDER, (length) => new Uint8Array(length)), Bug)
})
