import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeRlp } from 'ethers'
import fc from 'fast-check'
import { vectors } from '../../../../test/support/vectors.ts'
import { toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import { readRlp } from './read-rlp.ts'
import { encodeRlp, type RlpItem } from './rlp.ts'
import { anyItem } from './testing/arbitrary.ts'
import { bytesOf } from './testing/transactions.ts'

test('what ethers and the Ethereum tests encode is read back', () => {
  const ethers = vectors<readonly { encoded: string }[]>('ethers/rlp.json')
  const ethereum = Object.values(vectors<Record<string, { out: string }>>('ethereum/RLPTests/rlptest.json'))
  const encoded = [...ethers.map((each) => each.encoded), ...ethereum.map(({ out }) => out)]
  for (const hex of encoded) assert.equal(`0x${toHex(encodeRlp(readRlp(bytesOf(hex))))}`, hex)
  assert.equal(encoded.length, 89)
})

test('what the Ethereum tests call invalid is refused', () => {
  const cases = Object.entries(
    vectors<Record<string, { out: string }>>('ethereum/RLPTests/invalidRLPTest.json'),
  )
  for (const [name, { out }] of cases) {
    assert.throws(() => readRlp(bytesOf(out)), Failure, name)
  }
  assert.equal(cases.length, 26)
})

test('each thing that has a second encoding is refused in it', () => {
  refuses('8100', 'a byte below 80 that does not stand for itself')
  refuses('817f', 'a byte below 80 that does not stand for itself')
  refuses(`b837${'00'.repeat(55)}`, 'a long length where a short one does')
  refuses(`f837${'00'.repeat(55)}`, 'a long length where a short one does')
  refuses(`b90038${'00'.repeat(56)}`, 'a length with leading zeros')
  refuses(`f90038${'00'.repeat(56)}`, 'a length with leading zeros')
  refuses('c000', '1 bytes too many')
  refuses('8080', '1 bytes too many')
  refuses('c2820000', 'an item longer than what it is in')
  refuses('83aabb', 'an item longer than what it is in')
  refuses('bfffffffffffffffff', 'an item longer than what it is in')
  refuses('b9ff', 'an item that ends too early')
  refuses('c1b9', 'an item that ends too early')
  refuses('', 'an item that ends too early')
  refuses(`${'c8c7c6c5c4c3c2c1'}c0`, 'lists deeper than 8')
  assert.doesNotThrow(() => readRlp(bytesOf('c7c6c5c4c3c2c1c0')))
  assert.doesNotThrow(() => readRlp(bytesOf(`8180`)))
})

test('reading what was written gives it back', () => {
  fc.assert(
    fc.property(anyItem, (item) => {
      assert.equal(text(readRlp(encodeRlp(item))), text(item))
    }),
    { numRuns: 500 },
  )
})

test('whatever is read has no other encoding, and ethers reads it alike; all else is refused cleanly', () => {
  let read = 0
  fc.assert(
    fc.property(mutated, (bytes) => {
      let item: RlpItem
      try {
        item = readRlp(bytes)
      } catch (thrown) {
        assert.ok(thrown instanceof Failure, String(thrown))
        return
      }
      read++
      assert.equal(toHex(encodeRlp(item)), toHex(bytes))
      assert.deepEqual(JSON.parse(text(item)), decodeRlp(bytes))
    }),
    { numRuns: 5000 },
  )
  assert.ok(read > 500, `${read} were read`)
})

/** What was written, with one byte set, dropped or put in. */
const mutated = fc
  .tuple(anyItem, fc.nat(), fc.nat({ max: 255 }), fc.constantFrom('set', 'drop', 'put', 'keep'))
  .map(([item, position, byte, how]) => {
    const bytes = [...encodeRlp(item)]
    const at = position % bytes.length
    if (how === 'set') bytes[at] = byte
    if (how === 'drop') bytes.splice(at, 1)
    if (how === 'put') bytes.splice(at, 0, byte)
    return Uint8Array.from(bytes)
  })

function text(item: RlpItem): string {
  return JSON.stringify(
    item instanceof Uint8Array ? `0x${toHex(item)}` : item.map((each) => JSON.parse(text(each))),
  )
}

function refuses(hex: string, what: string): void {
  assert.throws(
    () => readRlp(bytesOf(hex)),
    (thrown) => {
      assert.ok(thrown instanceof Failure, String(thrown))
      assert.ok(thrown.message.includes(what), `${thrown.message} for ${hex}`)
      return true
    },
  )
}
