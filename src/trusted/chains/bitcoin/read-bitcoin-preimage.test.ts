import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import * as btc from '@scure/btc-signer'
import fc from 'fast-check'
import { concat, toHex } from '../../base/bytes.ts'
import { writeSized, writeUint32, writeUint64 } from './byte-reader.ts'
import { psbtOf, testKey } from './testing/psbt.ts'
import { readPsbt } from './psbt.ts'
import { readBitcoinPreimage } from './read-bitcoin-preimage.ts'
import { readBitcoinTransaction } from './read-bitcoin-transaction.ts'
import { sighashesOf, TAP_SIGHASH } from './sighash.ts'
import { writeOutpoint, writeWireOutput, writeWireTransaction } from './wire-transaction.ts'

const own = testKey(7)
const signWith = btc.p2wpkh(own.publicKey).address ?? ''
const psbt = psbtOf([
  { payment: btc.p2wpkh(own.publicKey), value: 10_000n },
  { payment: btc.p2wpkh(own.publicKey), value: 20_000n, sequence: 5 },
]).toPSBT(0)
const { unsigned } = readPsbt(psbt)
const scriptCode = Uint8Array.of(0x76, 0xa9, 0x14, ...new Uint8Array(20), 0x88, 0xac)

test('what is whole in a transaction or a preimage is seen as it is seen when it is signed as a transaction', () => {
  const { inputs, outputs, version, locktime } = seenTx(
    readBitcoinTransaction(toHex(psbt), own.signer, signWith).seen,
  )
  const bare = writeWireTransaction(unsigned)
  for (const bytes of [psbt, bare, legacyPreimage(1)]) {
    assert.deepEqual(seenTx(readBitcoinPreimage(bytes, signWith)), { inputs, outputs, version, locktime })
  }
  assert.equal(twice(legacyPreimage(1)), toHex(sighashesOf(unsigned, []).legacy(1, scriptCode)))
})

test('of a preimage that has its inputs and outputs as hashes, version and lock time are seen', () => {
  const head = { bitcoin: { tx: { version: '2', locktime: { amount: 0n, type: 'Blocks' } } } }
  assert.equal(twice(segwitPreimage()), toHex(sighashesOf(unsigned, []).segwit(1, scriptCode, 20_000n)))
  for (const bytes of [
    segwitPreimage(),
    taprootPreimage(0),
    taprootPreimage(0x83),
    legacyPreimage(2),
    legacyPreimage(0x81),
  ]) {
    assert.deepEqual(readBitcoinPreimage(bytes, signWith), head)
  }
  assert.equal(
    hash('sha256', taprootPreimage(0)),
    toHex(
      sighashesOf(unsigned, [
        { value: 10_000n, script: scriptCode },
        { value: 20_000n, script: scriptCode },
      ]).taproot(1),
    ),
  )
})

test('outputs without an address are not shown', () => {
  const outputs = [{ value: 0n, script: Uint8Array.of(0x6a) }]
  const { outputs: seen, inputs } = seenTx(
    readBitcoinPreimage(writeWireTransaction({ ...unsigned, outputs }), signWith),
  )
  assert.equal(seen, undefined)
  assert.ok(inputs)
})

test('whatever else raw bytes are, they are no preimage', () => {
  const others = [
    new Uint8Array(),
    new Uint8Array(32),
    Buffer.from('hello, this is a message of some length that somebody wants to be signed, and more'),
    new Uint8Array(200),
    writeWireTransaction({ ...unsigned, version: 7 }),
    legacyPreimage(4),
    segwitPreimage().subarray(1),
    concat(segwitPreimage(), Uint8Array.of(0)),
  ]
  for (const bytes of others) assert.equal(readBitcoinPreimage(bytes, signWith), undefined)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(readBitcoinPreimage(bytes, ''), undefined)
    }),
    { numRuns: 5_000 },
  )
})

function legacyPreimage(type: number): Uint8Array {
  const inputs = unsigned.inputs.map((input, index) =>
    index === 1 ? { ...input, scriptSig: scriptCode } : input,
  )
  return concat(writeWireTransaction({ ...unsigned, inputs }), writeUint32(type))
}

function segwitPreimage(): Uint8Array {
  const { version, inputs, outputs, locktime } = unsigned
  const input = inputs[1]
  assert.ok(input)
  return concat(
    writeUint32(version),
    Buffer.from(twice(concat(...inputs.map(writeOutpoint))), 'hex'),
    Buffer.from(twice(concat(...inputs.map(({ sequence }) => writeUint32(sequence)))), 'hex'),
    writeOutpoint(input),
    writeSized(scriptCode),
    writeUint64(20_000n),
    writeUint32(input.sequence),
    Buffer.from(twice(concat(...outputs.map(writeWireOutput))), 'hex'),
    writeUint32(locktime),
    writeUint32(1),
  )
}

function taprootPreimage(type: number): Uint8Array {
  const { version, inputs, outputs, locktime } = unsigned
  return concat(
    TAP_SIGHASH,
    TAP_SIGHASH,
    Uint8Array.of(0, type),
    writeUint32(version),
    writeUint32(locktime),
    once(concat(...inputs.map(writeOutpoint))),
    once(concat(writeUint64(10_000n), writeUint64(20_000n))),
    once(concat(writeSized(scriptCode), writeSized(scriptCode))),
    once(concat(...inputs.map(({ sequence }) => writeUint32(sequence)))),
    once(concat(...outputs.map(writeWireOutput))),
    Uint8Array.of(0),
    writeUint32(1),
  )
}

function once(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}

function twice(bytes: Uint8Array): string {
  return hash('sha256', once(bytes))
}

function seenTx(seen: unknown): Record<string, unknown> {
  return (seen as { bitcoin: { tx: Record<string, unknown> } }).bitcoin.tx
}
