import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { concat, toHex } from '../base/bytes.ts'
import { Failure } from '../base/failure.ts'
import { encodeRlp, type RlpItem, rlpInteger } from './ethereum/rlp.ts'
import type { HashFunction } from './payload.ts'
import { seenInPayload } from './seen-payload.ts'
import type { SeenFields } from './transaction.ts'
import { looseContractTypes } from './tron/loose-contract.ts'
import { writeBytesField } from './tron/protobuf.ts'

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
    concat(rawData(4), rawData(1)),
  ])
    assert.throws(() => seen(bytes, 'HASH_FUNCTION_SHA256'), /INVALID_TRANSACTION/, toHex(bytes))
  // A vote, of which nothing is read here: policies see that it is opaque.
  assert.equal(seen(rawData(4), 'HASH_FUNCTION_SHA256'), undefined)
})

test('texts and digests are no Tron transactions, however leniently they are read', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string().map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 64 }),
      ),
      (bytes) => {
        assert.deepEqual(looseContractTypes(bytes), [])
      },
    ),
    { numRuns: 2_000 },
  )
})
