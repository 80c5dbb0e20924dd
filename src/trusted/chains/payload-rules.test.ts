import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { concat, fromHex, toHex } from '../base/bytes.ts'
import { finished } from '../base/work.ts'
import { encodeRlp, type RlpItem } from './ethereum/rlp.ts'
import { chains } from './list.ts'
import { solana } from './solana/solana.ts'
import { raw, transferContract, varint } from './tron/testing/raw-data.ts'

const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array()
const HEAD_BYTES = 5

/** What payloads of some chain begin with, whole or cut, and what is nearly that. */
const heads = chains.flatMap(({ example, payload }) => {
  const named = [...(payload?.begins.source.matchAll(/[0-9a-f]{8,10}/g) ?? [])].map(([hex]) => hex)
  return [example.unsigned, example.unsigned.slice(0, 10), ...named]
})
const anyBytes = fc.uint8Array({ maxLength: 200 })
const item: fc.Arbitrary<RlpItem> = fc.uint8Array({ maxLength: 3 })
const rlp = fc.array(item, { maxLength: 15 }).map((fields) => encodeRlp(fields))
const legacy = fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 1 })).map(([length, isCall]) => {
  const [none, to] = [new Uint8Array(), new Uint8Array(20 * isCall)]
  return encodeRlp([none, none, none, to, none, new Uint8Array(length)])
})
/**
 * A field of a number that is not known, of every wire type, then a transfer: nodes pass over the first and take the
 * second.
 */
const tron = fc
  .record({ number: fc.bigInt(20n, 2n ** 29n - 1n), wireType: fc.constantFrom(0n, 1n, 2n, 3n, 5n) })
  .map(({ number, wireType }) => {
    const tag = varint((number << 3n) | wireType)
    const value = {
      0: '01',
      1: '00'.repeat(8),
      2: '0105',
      3: toHex(varint((number << 3n) | 4n)),
      5: '00000000',
    }
    return concat(tag, bytesOf(value[Number(wireType) as keyof typeof value]), raw(transferContract()))
  })
/** The transaction in the PSBT of the example, of every version. */
const bitcoin = fc.constantFrom('01', '02', '03', '04').map((version) => {
  const psbt = chains.find(({ name }) => name === 'Bitcoin')?.example.unsigned ?? ''
  return bytesOf(version + psbt.slice(18, 16 + 2 * 0x52))
})
/** A header, as many keys as it says, a blockhash and no instruction. */
const headers = fc
  .record({
    header: fc.uint8Array({ minLength: 3, maxLength: 3 }),
    keys: fc.nat({ max: 127 }),
    keyBytes: fc.nat(),
  })
  .map(({ header, keys, keyBytes }) => {
    const list = Array.from({ length: keys }, (_, at) => new Uint8Array(32).fill((keyBytes + at) % 256))
    return concat(header, Uint8Array.of(keys), ...list, new Uint8Array(32), Uint8Array.of(0))
  })
const likely = fc.oneof(
  anyBytes,
  fc.tuple(fc.constantFrom(...heads), anyBytes).map(([head, rest]) => concat(bytesOf(head), rest)),
  fc.tuple(fc.nat({ max: 255 }), rlp).map(([type, fields]) => concat(Uint8Array.of(type), fields)),
  legacy,
  tron,
  bitcoin,
  headers,
)

for (const { name, curve, payload, example } of chains)
  test(`${name}: what does not begin like its payloads is nothing of it, and is not refused either`, () => {
    assert.ok(payload !== undefined)
    const signer = { curve, publicKey: example.publicKey, signWith: example.signWith, interfaces: [] }
    let passed = 0
    fc.assert(
      fc.property(likely, (bytes) => {
        if (payload.begins.test(toHex(bytes.subarray(0, HEAD_BYTES)))) return
        passed += 1
        assert.equal(finished(payload.see(bytes, signer)), undefined, toHex(bytes))
      }),
      { numRuns: 20_000 },
    )
    assert.ok(passed > 1_000, `${passed} bytes were passed over`)
  })

test('of two chains with a hash function in common hardly any bytes may be, so that a page loads the readers of one', () => {
  const both = new Set<string>()
  fc.assert(
    fc.property(likely, (bytes) => {
      const head = toHex(bytes.subarray(0, HEAD_BYTES))
      const may = chains.filter(({ payload }) => payload?.begins.test(head) === true)
      for (const [hashFunction, of] of Map.groupBy(may, ({ payload }) => payload?.hashFunction))
        if (of.length > 1)
          both.add(`${hashFunction} ${of.map(({ name }) => name).join()} ${head.slice(0, 10)}`)
    }),
    { numRuns: 20_000 },
  )
  // A PSBT begins like fields of protobuf too.
  for (const one of both) assert.equal(one, 'HASH_FUNCTION_SHA256 Tron,Bitcoin 70736274ff')
})

test('a signing message of Aptos with data is no header of Solana, however long it is', () => {
  const header = bytesOf('5efa3c4f')
  const keys = Array.from({ length: 79 }, (_, at) => new Uint8Array(32).fill(at))
  const message = concat(header, ...keys, new Uint8Array(32), Uint8Array.of(0))
  const signer = { curve: 'CURVE_ED25519', publicKey: '', signWith: '', interfaces: [] } as const
  assert.equal(finished(solana.payload.see(message, signer)), undefined)
})
