import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { vectors } from '../../../../test/support/vectors.ts'
import { encodeRlp, type RlpItem, rlpInteger } from './rlp.ts'

test('lists and byte strings are encoded as ethers encodes them', () => {
  const cases = vectors<readonly { name: string; decoded: unknown; encoded: string }[]>('ethers/rlp.json')

  for (const { name, decoded, encoded } of cases) {
    assert.equal(`0x${hex(encodeRlp(fromJson(decoded)))}`, encoded, name)
  }
  assert.equal(cases.length, 61)
})

test('everything is encoded as the Ethereum tests have it', () => {
  const cases = Object.entries(
    vectors<Record<string, { in: unknown; out: string }>>('ethereum/RLPTests/rlptest.json'),
  )

  for (const [name, { in: item, out }] of cases) {
    assert.equal(`0x${hex(encodeRlp(fromJson(item)))}`, out, name)
  }
  assert.equal(cases.length, 28)
})

test('a whole number has no leading zeros, and zero no bytes', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), (value) => {
      const bytes = rlpInteger(value)
      assert.notEqual(bytes[0], 0)
      assert.equal(BigInt(`0x0${hex(bytes)}`), value)
    }),
  )
  assert.equal(rlpInteger(0n).length, 0)
})

/** `#123` is a number too large for JSON, `0x…` is bytes, other text is itself. */
function fromJson(item: unknown): RlpItem {
  if (Array.isArray(item)) return item.map(fromJson)
  if (typeof item === 'number') return rlpInteger(BigInt(item))
  const text = String(item)
  if (text.startsWith('#')) return rlpInteger(BigInt(text.slice(1)))
  return text.startsWith('0x') ? Buffer.from(text.slice(2), 'hex') : Buffer.from(text, 'utf8')
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
