import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHex } from '../base/bytes.ts'
import { readDer, writeDer } from './der.ts'
import { isScalar, P256_ORDER, SECP256K1_ORDER } from './scalar.ts'
import { isP1363 } from './testing/is-p1363.ts'
import { hex, vectorTest } from './testing/vectors.ts'

const scalar = () =>
  fc
    .tuple(fc.nat(31), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([zeros, bytes]) => Uint8Array.from(bytes, (byte, at) => (at < zeros ? 0 : byte)))
    .filter((bytes) => isScalar(bytes, P256_ORDER))
const signature = () => fc.tuple(scalar(), scalar()).map(([r, s]) => Buffer.concat([r, s]))

test('reading what we wrote gives it back, and there is no zero too many in it', () => {
  fc.assert(
    fc.property(signature(), (rs) => {
      const der = writeDer(rs)
      assert.equal(toHex(readDer(der, P256_ORDER) ?? new Uint8Array(0)), toHex(rs))
      assert.match(toHex(der), /^30..02(..)(?!00[0-7])/)
    }),
  )
})

test('no other bytes read as the same signature, but for zeros in front of an integer', () => {
  fc.assert(
    fc.property(signature(), fc.nat(71), fc.integer({ min: 1, max: 255 }), (rs, at, flip) => {
      const der = Buffer.from(writeDer(rs))
      if (at >= der.length) return
      der[at] = (der[at] ?? 0) ^ flip
      const read = readDer(der, P256_ORDER)
      assert.notEqual(read && toHex(read), toHex(rs))
    }),
  )
})

test('any bytes read as r and s in range or not at all', () => {
  const element = fc
    .tuple(fc.constantFrom(2, 2, 2, 3), fc.uint8Array({ maxLength: 35 }))
    .map(([tag, content]) => [tag, content.length, ...content])
  const almost = fc
    .array(element, { maxLength: 3 })
    .map((elements) => elements.flat())
    .map((content) => Uint8Array.from([0x30, content.length, ...content]))
  fc.assert(
    fc.property(fc.oneof(almost, fc.uint8Array({ maxLength: 80 })), (der) => {
      const rs = readDer(der, P256_ORDER)
      assert.ok(rs === undefined || isP1363(rs, P256_ORDER))
    }),
    { numRuns: 2000 },
  )
})

const readable = (der: string, order = P256_ORDER) => readDer(hex(der), order) !== undefined

test('zeros that an integer does not need are tolerated up to 33 bytes', () => {
  assert.ok(readable('3006020101020101'))
  assert.ok(readable('300802020001020200ff'))
  assert.ok(readable(`3026022100${'00'.repeat(31)}01020101`))
  assert.ok(!readable(`302702220000${'00'.repeat(31)}01020101`))
})

test('everything else that is not DER is refused', () => {
  const refused = {
    empty: '',
    'a tag alone': '30',
    'no integers': '3000',
    'one integer': '3003020101',
    'three integers': '3009020101020101020101',
    'a set for a sequence': '3106020101020101',
    'an octet string for an integer': '3006040101020101',
    'a byte after the sequence': '300602010102010100',
    'a byte after the integers': '300702010102010100',
    'a length one too long': '3007020101020101',
    'a length one too short': '3005020101020101',
    'a long form length': '308106020101020101',
    'a long form integer length': '300702810101020101',
    'the indefinite form': '30800201010201010000',
    'an integer without bytes': '30050200020101',
    'an integer that is cut off': '3006020101020201',
    'a negative r': '3006020180020101',
    'a negative s': '3006020101020181',
    'r of zero': '3006020100020101',
    's of zero': '3006020101020100',
    '33 bytes that do not start with zero': `3026022101${'00'.repeat(31)}01020101`,
    'r of the order': `3026022100${toHex(P256_ORDER)}020101`,
    's of the order': `3026020101022100${toHex(P256_ORDER)}`,
  }
  for (const [what, der] of Object.entries(refused)) assert.ok(!readable(der), what)
})

test('the range is that of the curve', () => {
  // The order of P-256 is below that of secp256k1.
  const der = `3026022100${toHex(P256_ORDER)}020101`
  assert.ok(readable(der, SECP256K1_ORDER))
  assert.ok(!readable(der, P256_ORDER))
})

type Kats = { stamps: { nonMinimalDerFromToDerSignature: { raw: string; der: string } } }

vectorTest<Kats>(
  'what a published client writes with zeros in front is read',
  'facts/crypto-kats.json',
  (kats) => {
    const { raw, der } = kats.stamps.nonMinimalDerFromToDerSignature
    assert.equal(toHex(readDer(hex(der), SECP256K1_ORDER) ?? new Uint8Array(0)), raw)
  },
)
