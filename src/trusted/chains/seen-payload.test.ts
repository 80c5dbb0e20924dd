import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { concat, toHex } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { encodeRlp, type RlpItem, rlpInteger } from './ethereum/rlp.ts'
import type { HashFunction } from './hash-function.ts'
import { seenInPayload } from './seen-payload.ts'
import type { SeenFields } from './transaction.ts'
import { writeBytesField } from './tron/protobuf.ts'
import {
  any,
  bin,
  bytes as bytesOf,
  int,
  raw,
  text,
  transferContract,
  transferValue,
  varint,
} from './tron/testing/raw-data.ts'

const publicKey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const signer = { curve: 'CURVE_SECP256K1', publicKey, signWith: publicKey, interfaces: [] } as const

function seen(bytes: Uint8Array, hashFunction: HashFunction): SeenFields | undefined {
  const payload = toHex(bytes)
  return seenInPayload(
    { payload, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction, curve: signer.curve },
    signer,
  )
}

const NONE = new Uint8Array()
const to = new Uint8Array(20).fill(7)
const one = rlpInteger(1n)

test('a transaction that nodes would take is never opaque for a field that is not read here', () => {
  const typed = (type: number, fields: readonly RlpItem[]) => concat(Uint8Array.of(type), encodeRlp(fields))
  const feeMarket = [one, NONE, one, one, rlpInteger(100_000n), to, NONE, NONE, []]
  const authorization = [one, to, NONE, rlpInteger(2n), one, one]
  const tempo = (validBefore: RlpItem, ...more: readonly RlpItem[]) => {
    const calls = [[to, NONE, NONE]]
    return typed(0x76, [one, one, one, one, calls, [], NONE, one, validBefore, NONE, NONE, NONE, [], ...more])
  }
  assert.ok(seen(typed(2, feeMarket), 'HASH_FUNCTION_KECCAK256')?.['eth'])
  assert.ok(seen(tempo(NONE), 'HASH_FUNCTION_KECCAK256')?.['tempo'])
  for (const bytes of [
    // Passed over when it is carried out, like every authorization that cannot be valid (EIP-7702, "Behavior").
    typed(4, [...feeMarket, [authorization]]),
    tempo(rlpInteger(2n ** 60n)),
    tempo(NONE, [one]),
  ])
    assert.throws(() => seen(bytes, 'HASH_FUNCTION_KECCAK256'), Failure)
  assert.equal(seen(typed(2, [one, one]), 'HASH_FUNCTION_KECCAK256'), undefined)
})

test('a text that is a transaction is shown as one', () => {
  // 40 bytes: a payment of 0.018 ether that every chain accepts. Its recipient is any address that is UTF-8.
  const payload = '瀄;JJÂRȔAAAAAAAAAAAAAAAAAAAÇABCDEFÀ'
  const raw = { payload, encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', curve: signer.curve } as const
  assert.ok(seenInPayload({ ...raw, hashFunction: 'HASH_FUNCTION_KECCAK256' }, signer)?.['eth'])
  assert.equal(seenInPayload({ ...raw, hashFunction: 'HASH_FUNCTION_SHA256' }, signer), undefined)
})

test('a Tron transaction in an encoding that only nodes read is refused, and not opaque', () => {
  const any = concat(
    writeBytesField(1, Buffer.from('type.googleapis.com/protocol.TransferContract')),
    writeBytesField(2, concat(writeBytesField(1, to), writeBytesField(2, to), Uint8Array.of(0x18, 1))),
  )
  const contract = (type: number) => concat(Uint8Array.of(0x08, type), writeBytesField(2, any))
  const rawData = (type: number, ...more: readonly Uint8Array[]) =>
    concat(...more, writeBytesField(11, contract(type)), Uint8Array.of(0x70, 1))
  for (const bytes of [
    // A field of zero, an unknown field, one in more bytes than it needs, fields in another order.
    rawData(1, Uint8Array.of(0x40, 0)),
    rawData(1, Uint8Array.of(0x18, 5)),
    rawData(1, Uint8Array.of(0x40, 0x81, 0)),
    rawData(1, Uint8Array.of(0x70, 1)),
  ])
    assert.throws(() => seen(bytes, 'HASH_FUNCTION_SHA256'), /INVALID_TRANSACTION/, toHex(bytes))
  // A vote, of which nothing is read here: policies see that it is opaque.
  assert.equal(seen(rawData(4), 'HASH_FUNCTION_SHA256'), undefined)
})

test('every spelling of a Tron transaction that nodes read is refused, and none of them is opaque', () => {
  const transfer = transferContract()
  const long = (value: number) => Uint8Array.of(value | 0x80, 0x80, 0x80, 0)
  const sized = (number: number, content: Uint8Array, size: Uint8Array) =>
    concat(Uint8Array.of(number * 8 + 2), size, content)
  const url = text(1, 'type.googleapis.com/protocol.TransferContract')
  const value = bin(2, transferValue())
  const group = (inside: Uint8Array) => concat(Uint8Array.of(0x9b, 0x01), inside, Uint8Array.of(0x9c, 0x01))
  const contract = (...parameter: readonly Uint8Array[]) => concat(int(1, 1), ...parameter)
  const spellings: readonly Uint8Array[] = [
    concat(bin(11, transfer), bin(1, 'ab12')),
    sized(11, transfer, long(transfer.length)),
    // Lengths and tags are read as numbers of 32 bits.
    sized(11, transfer, varint(BigInt(transfer.length) + 2n ** 32n)),
    concat(varint(2n ** 32n + 90n), varint(BigInt(transfer.length)), transfer),
    raw(concat(varint(8n), varint(2n ** 32n + 1n), any('TransferContract', transferValue()))),
    raw(contract(int(1, 4), int(1, 1), bin(2, concat(url, value)))),
    // The parts of a message that is there twice are put together.
    raw(contract(bin(2, url), bin(2, value))),
    raw(contract(bin(2, concat(text(1, 'a/b'), url, value)))),
    raw(contract(bin(2, concat(text(1, 'any/thing/protocol.TransferContract'), value)))),
    // What is in a group of an unknown number is passed over.
    concat(raw(transfer), group(bin(11, transfer))),
    concat(raw(transfer), Uint8Array.of(0x9d, 0x01, 1, 2, 3, 4)),
  ]
  for (const bytes of spellings)
    assert.throws(() => seen(bytes, 'HASH_FUNCTION_SHA256'), /INVALID_TRANSACTION/, toHex(bytes))
})

test('what no node takes for a Tron transaction signs as raw bytes, however much of one it looks like', () => {
  const transfer = transferContract()
  const value = bin(2, transferValue())
  for (const bytes of [
    bytesOf('409efc94ead2c87e'),
    bytesOf('0a05'),
    bin(1, 'ab12'),
    // Nodes take one contract and no other number of them.
    concat(raw(transfer), bin(11, transfer)),
    raw(int(1, 1)),
    raw(concat(int(1, 1), any('TriggerSmartContract', transferValue()))),
    raw(concat(int(1, 1), bin(2, concat(text(1, 'protocol.TransferContract'), value)))),
    raw(concat(int(1, 99), any('TransferContract', transferValue()))),
    concat(raw(transfer), Uint8Array.of(0x9b, 0x01)),
    concat(raw(transfer), Uint8Array.of(0x9c, 0x01)),
    concat(raw(transfer), Uint8Array.of(0x00)),
  ])
    assert.equal(seen(bytes, 'HASH_FUNCTION_SHA256'), undefined, toHex(bytes))
})

test('bytes of any kind are signed, and never refused for what they might be', () => {
  const field = fc
    .record({
      number: fc.integer({ min: 1, max: 20 }),
      value: fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.string()),
    })
    .map(({ number, value }) => (typeof value === 'bigint' ? int(number, value) : text(number, value)))
  const message = fc.array(field, { maxLength: 6 }).map((fields) => concat(...fields))
  // Every transaction with a type has a list among its fields.
  const item: fc.Arbitrary<RlpItem> = fc.uint8Array({ maxLength: 3 })
  const list = fc
    .record({ type: fc.constantFrom(1, 2, 3, 4, 5, 0x76), fields: fc.array(item, { maxLength: 15 }) })
    .map(({ type, fields }) => concat(Uint8Array.of(type), encodeRlp(fields)))
  const bytes = fc.oneof(
    fc.string().map((one) => Buffer.from(one)),
    fc.uint8Array({ maxLength: 64 }),
    message,
    list,
    message.map((inner) => bin(11, inner)),
  )
  fc.assert(
    fc.property(
      bytes.filter(({ length }) => length > 0),
      (given) => {
        for (const hashFunction of ['HASH_FUNCTION_SHA256', 'HASH_FUNCTION_KECCAK256'] as const)
          assert.doesNotThrow(() => seen(given, hashFunction), toHex(given))
      },
    ),
    { numRuns: 5_000 },
  )
})

test('a typed transaction of Ethereum is one by what its fields are, and not by their number alone', () => {
  const none = (count: number) => Array.from({ length: count }, () => NONE)
  for (const [type, count] of [
    [1, 8],
    [2, 9],
    [3, 11],
    [4, 10],
    [0x76, 13],
    [0x76, 14],
  ] as const) {
    const bytes = concat(Uint8Array.of(type), encodeRlp(none(count)))
    assert.equal(seen(bytes, 'HASH_FUNCTION_KECCAK256'), undefined, toHex(bytes))
  }
  // Every field is a list.
  const lists = concat(Uint8Array.of(0x76), encodeRlp(Array.from({ length: 13 }, () => [one])))
  assert.equal(seen(lists, 'HASH_FUNCTION_KECCAK256'), undefined)
})
