import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import { matchesCode, oneTimeCode, otpTargetSecret } from './one-time-code.ts'
import { isP256Secret } from './p256.ts'
import { seededBytes } from './testing/vectors.ts'

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l' // BIP-173
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const both = [...CROCKFORD].filter((char) => BECH32.includes(char.toLowerCase()))

const secret = seededBytes(1)(32)
const otpId = '7d2e3b6c-0f1a-4c6d-9d53-2b1f6a7c8d9e'
const ofLength = (length: number, alphanumeric: boolean) =>
  oneTimeCode({ secret, otpId, length, alphanumeric })

test('a code has the length that was asked for, of the characters that were', () => {
  const lengths = fc.integer({ min: 6, max: 9 })
  fc.assert(
    fc.property(lengths, fc.boolean(), fc.integer(), fc.string(), (length, alphanumeric, seed, id) => {
      const code = oneTimeCode({ secret: seededBytes(seed)(32), otpId: id, length, alphanumeric })
      assert.equal(code.length, length)
      for (const char of code) assert.ok((alphanumeric ? both : [...'0123456789']).includes(char), code)
    }),
  )
  for (const length of [0, 5, 10, 6.5, Number.NaN]) assert.throws(() => ofLength(length, true), Bug)
})

test('a code is the same each time, and another for another secret, id, length or alphabet', () => {
  assert.equal(ofLength(9, true), ofLength(9, true))
  const others = [
    oneTimeCode({ secret: seededBytes(2)(32), otpId, length: 9, alphanumeric: true }),
    oneTimeCode({ secret, otpId: 'other', length: 9, alphanumeric: true }),
    ofLength(9, false),
    ofLength(8, true),
    ofLength(9, true),
  ]
  assert.equal(new Set(others).size, others.length)
  assert.ok(!ofLength(9, true).startsWith(ofLength(8, true)))
})

test('every character is as likely as any other', () => {
  for (const alphanumeric of [false, true]) {
    const counts = new Map<string, number>()
    const codes = 20_000
    for (let index = 0; index < codes; index++) {
      const code = oneTimeCode({ secret, otpId: String(index), length: 9, alphanumeric })
      for (const char of code) counts.set(char, (counts.get(char) ?? 0) + 1)
    }
    const alphabet = alphanumeric ? both : [...'0123456789']
    assert.deepEqual([...counts.keys()].sort(), [...alphabet].sort())
    const expected = (codes * 9) / alphabet.length
    const chiSquared = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    )
    // The 0.9999 quantiles for 9 and 29 degrees of freedom; without rejection the digits give 50.
    assert.ok(chiSquared < (alphanumeric ? 66 : 34), `${chiSquared}`)
  }
})

test('a code matches in either case, with look-alikes, and with space around it', () => {
  for (const given of ['A0C1D2', 'a0c1d2', 'aocld2', 'AOCID2', ' A0C1D2\n', '\tAoCLd2 '])
    assert.ok(matchesCode('A0C1D2', given), given)
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const code = oneTimeCode({ secret: seededBytes(seed)(32), otpId, length: 9, alphanumeric: true })
      assert.ok(matchesCode(code, ` ${code.toLowerCase()} `))
    }),
  )
})

test('anything else does not match', () => {
  const code = 'A0C1D2'
  for (const given of [
    '',
    ' ',
    'A0C1D',
    'A0C1D22',
    'A0C1D3',
    'B0C1D2',
    'A0 C1D2',
    'A0C1D2\0',
    'AОC1D2',
    'AﬁC1D2',
  ])
    assert.ok(!matchesCode(code, given), given)
  // Letters outside ASCII that become I, S or K when put into upper or lower case.
  assert.ok(!matchesCode('111111', 'ıııııı'))
  assert.ok(!matchesCode('SSSSSS', 'ſſſſſſ'))
  assert.ok(!matchesCode('KKKKKK', '\u212a'.repeat(6)))
  fc.assert(fc.property(fc.string(), (given) => assert.ok(!matchesCode('Q8Z0W7XJK', given))))
})

test('a target is a scalar, the same each time, and another for another secret or id', () => {
  const target = otpTargetSecret(secret, otpId)
  assert.ok(isP256Secret(target))
  assert.equal(toHex(otpTargetSecret(secret, otpId)), toHex(target))
  assert.notEqual(toHex(otpTargetSecret(secret, 'other')), toHex(target))
  assert.notEqual(toHex(otpTargetSecret(seededBytes(2)(32), otpId)), toHex(target))
})
