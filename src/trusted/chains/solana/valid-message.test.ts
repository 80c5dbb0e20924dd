import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concat } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import { decodeMessage, type Message } from './message.ts'
import { readSolanaMessage } from './raw-message.ts'
import { expectValidMessage } from './valid-message.ts'
import { compactLength, encodeMessage } from './testing/encode.ts'
import { aMessage, key } from './testing/messages.ts'

const none = new Uint8Array()
const call = { programIndex: 2, accountIndexes: none, data: none }
const lookup = { tableKey: key(30), writableIndexes: Uint8Array.of(1), readonlyIndexes: none }
const many = Uint8Array.from({ length: 254 }, (_, index) => index)

const refused: readonly (readonly [string, Partial<Message>, RegExp])[] = [
  ['no signer', { requiredSignatures: 0 }, /no signature is required/],
  ['more signers than keys', { requiredSignatures: 4 }, /fewer than 4 signers/],
  [
    'signers and read-only others that overlap',
    { requiredSignatures: 3 },
    /fewer than 3 signers and 1 read-only/,
  ],
  ['a payer who is read-only', { readonlySigned: 1 }, /the first signer.* is read-only/],
  ['a key that is there twice', { accountKeys: [key(1), key(2), key(1)] }, /an account key is there twice/],
  [
    'a program that pays',
    { instructions: [{ ...call, programIndex: 0 }] },
    /instruction 0 calls the account that pays/,
  ],
  ['a program that is not there', { instructions: [{ ...call, programIndex: 3 }] }, /calls account 3 of 3/],
  [
    'an account that is not there',
    { instructions: [call, { ...call, accountIndexes: Uint8Array.of(0, 3) }] },
    /instruction 1 names account 3 of 3/,
  ],
  [
    'a program from a lookup table',
    { version: 0, lookups: [lookup], instructions: [{ ...call, programIndex: 3 }] },
    /instruction 0 calls a program from an address lookup table/,
  ],
  [
    'an account beyond what is loaded',
    { version: 0, lookups: [lookup], instructions: [{ ...call, accountIndexes: Uint8Array.of(3, 4) }] },
    /names account 4 of 4/,
  ],
  ['a lookup of nothing', { version: 0, lookups: [{ ...lookup, writableIndexes: none }] }, /has no index/],
  [
    'a place that is looked up twice',
    {
      version: 0,
      lookups: [lookup, { ...lookup, writableIndexes: none, readonlyIndexes: Uint8Array.of(1) }],
    },
    /index 1 of an address table is looked up twice/,
  ],
  [
    'more than 256 accounts',
    { version: 0, lookups: [{ ...lookup, writableIndexes: many }] },
    /257 accounts are more than 256/,
  ],
]

for (const [name, message, why] of refused) {
  test(`a message with ${name} is refused, and is raw bytes where it is signed as such: no validator takes it`, () => {
    const bytes = encodeMessage(aMessage(message))

    const read = decodeMessage(bytes)
    assert.throws(() => expectValidMessage(read, bytes.length), matching('invalidTransaction', why))
    assert.equal(readSolanaMessage(bytes, []), undefined)
  })
}

test('a message may be as long as leaves room for its signatures in 1232 bytes', () => {
  const withData = (requiredSignatures: number, length: number) =>
    encodeMessage(aMessage({ requiredSignatures, instructions: [{ ...call, data: new Uint8Array(length) }] }))
  const overhead = withData(1, 200).length - 200
  for (const signatures of [1, 2]) {
    const room = 1232 - 1 - 64 * signatures - overhead
    assert.ok(readSolanaMessage(withData(signatures, room), []))
    assert.throws(
      () => readSolanaMessage(withData(signatures, room + 1), []),
      matching('unreadableTransaction', /1233 bytes are more than the 1232/),
    )
  }
})

test('only the legacy version and version 0 are messages', () => {
  const bytes = encodeMessage(aMessage({ version: 0 }))
  for (let version = 1; version < 128; version++) {
    const other = concat(Uint8Array.of(0x80 + version), bytes.subarray(1))
    assert.throws(
      () => decodeMessage(other),
      matching(
        'unsupportedTransactionType',
        new RegExp(`UNSUPPORTED_TRANSACTION_TYPE: version ${version} of`),
      ),
    )
    assert.equal(readSolanaMessage(other, []), undefined)
  }
})

test('a length is read in its shortest form only', () => {
  const data = (length: Uint8Array, bytes: number) =>
    concat(encodeMessage(aMessage({})).subarray(0, -1), Uint8Array.of(1, 2, 0), length, new Uint8Array(bytes))
  for (const length of [0, 1, 127, 128, 300, 16_383, 16_384, 65_535]) {
    assert.equal(decodeMessage(data(compactLength(length), length)).instructions[0]?.data.length, length)
  }
  for (const [longer, bytes] of [
    [[0x80, 0x00], 0],
    [[0x81, 0x00], 1],
    [[0x80, 0x80, 0x00], 0],
    [[0xff, 0x81, 0x00], 255],
  ] as const) {
    assert.throws(
      () => decodeMessage(data(Uint8Array.from(longer), bytes)),
      matching('unreadableTransaction', /data bytes of an instruction is not in its shortest form/),
    )
  }
  for (const beyond of [
    [0x80, 0x80, 0x04],
    [0x80, 0x80, 0x80, 0x01],
  ]) {
    assert.throws(
      () => decodeMessage(data(Uint8Array.from(beyond), 70_000)),
      matching('unreadableTransaction', /is above 65535/),
    )
  }
})

test('a message that ends too early or goes on is not one', () => {
  const bytes = encodeMessage(aMessage({ version: 0, instructions: [call], lookups: [lookup] }))
  assert.ok(readSolanaMessage(bytes, []))
  for (let length = 0; length < bytes.length; length++) {
    assert.equal(readSolanaMessage(bytes.subarray(0, length), []), undefined)
  }
  assert.equal(readSolanaMessage(concat(bytes, Uint8Array.of(0)), []), undefined)
})

function matching(kind: string, why: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.kind, kind)
    assert.match(error.message, /^failed to parse transaction: /)
    assert.match(error.message, why)
    return true
  }
}
