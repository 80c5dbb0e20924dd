import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as btc from '@scure/btc-signer'
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js'
import { RawOldTx } from '@scure/btc-signer/script.js'
import fc from 'fast-check'
import { toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import { psbtOf, testKey } from './testing/psbt.ts'
import { readPsbt, writePsbt } from './psbt.ts'
import { readWireTransaction, type WireTransaction, writeWireTransaction } from './wire-transaction.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const script = fc.uint8Array({ maxLength: 300 })
const uint32 = fc.integer({ min: 0, max: 0xffffffff })
const aTransaction = fc.record({
  version: uint32,
  inputs: fc.array(fc.record({ previousId: bytes(32), vout: uint32, scriptSig: script, sequence: uint32 }), {
    minLength: 1,
    maxLength: 3,
  }),
  outputs: fc.array(fc.record({ value: fc.bigInt(0n, 2n ** 64n - 1n), script }), {
    minLength: 1,
    maxLength: 300,
  }),
  locktime: uint32,
})

test('reading what was written gives it back', () => {
  fc.assert(
    fc.property(aTransaction, (transaction) => {
      const written = writeWireTransaction(transaction)
      for (const form of ['with witness', 'without witness'] as const) {
        const read = readWireTransaction('a transaction', written, form)
        assert.equal(toHex(writeWireTransaction(read)), toHex(written))
        assert.deepEqual(plainly(read), plainly(transaction))
      }
    }),
    { numRuns: 100 },
  )
})

test('changed transactions are read as a library reads them, or refused by both', () => {
  const signed = btc.RawTx.encode({
    version: 2,
    segwitFlag: true,
    inputs: [
      { txid: new Uint8Array(32).fill(1), index: 1, finalScriptSig: new Uint8Array(3), sequence: 5 },
      { txid: new Uint8Array(32).fill(2), index: 0, finalScriptSig: new Uint8Array(), sequence: 0 },
    ],
    outputs: [{ amount: 5n, script: new Uint8Array(22) }],
    witnesses: [[], [new Uint8Array(3), new Uint8Array(2)]],
    lockTime: 9,
  })
  const bare = writeWireTransaction(readWireTransaction('a transaction', signed, 'with witness'))
  const counts = { both: 0, neither: 0 }
  fc.assert(
    fc.property(
      fc.constantFrom(signed, bare),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2, 3, 4, 0x22, 0xfd, 0xfe, 0xff), fc.boolean()), {
        minLength: 1,
        maxLength: 3,
      }),
      (original, changes) => {
        const changed = changes.reduce((each, [where, byte, isSet]) => {
          const at = where % each.length
          return Uint8Array.from([...each.slice(0, at), byte, ...each.slice(isSet ? at + 1 : at)])
        }, Uint8Array.from(original))
        const ours = attempt(() => plainly(readWireTransaction('a transaction', changed, 'with witness')))
        const theirs = attempt(() => plainlyOf(btc.RawTx.decode(changed)), Error)
        assert.deepEqual(ours, theirs)
        counts[ours === undefined ? 'neither' : 'both'] += 1
      },
    ),
    { numRuns: 10_000 },
  )
  assert.ok(counts.both > 1_000 && counts.neither > 1_000, JSON.stringify(counts))
})

test('of changed PSBTs, those that are read here come back to the byte and are read by a library too, or have a field it refuses', () => {
  const psbt = psbtOf([
    { payment: btc.p2wpkh(testKey(7).publicKey), value: 10_000n, both: true },
    { payment: btc.p2pkh(testKey(7).publicKey), value: 10_000n },
  ]).toPSBT(0)
  const counts = { ours: 0, both: 0, theirs: 0 }
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2, 3, 4, 0x22, 0xfb, 0xfd, 0xff), fc.boolean()), {
        minLength: 1,
        maxLength: 2,
      }),
      (changes) => {
        const changed = changes.reduce((each, [where, byte, isSet]) => {
          const at = where % each.length
          return Uint8Array.from([...each.slice(0, at), byte, ...each.slice(isSet ? at + 1 : at)])
        }, Uint8Array.from(psbt))
        const ours = attempt(() => readPsbt(changed))
        const theirs = attempt(() => RawPSBTV0.decode(changed), Error)
        if (ours !== undefined) assert.equal(toHex(writePsbt(ours)), toHex(changed))
        if (ours !== undefined && theirs !== undefined) {
          assert.equal(
            toHex(ours.unsignedBytes),
            toHex(RawOldTx.encode(theirs.global.unsignedTx ?? assert.fail())),
          )
          counts.both += 1
        } else if (ours !== undefined) {
          counts.ours += 1
        } else if (theirs !== undefined) {
          counts.theirs += 1
        }
      },
    ),
    { numRuns: 5_000 },
  )
  assert.ok(counts.both > 500, JSON.stringify(counts))
})

function plainly({ version, inputs, outputs, locktime }: WireTransaction) {
  return {
    version: version | 0,
    inputs: inputs.map(({ previousId, vout, scriptSig, sequence }) => [
      toHex(previousId),
      vout,
      toHex(scriptSig),
      sequence,
    ]),
    outputs: outputs.map(({ value, script: each }) => [value, toHex(each)]),
    locktime,
  }
}

function plainlyOf({ version, inputs, outputs, lockTime }: ReturnType<typeof btc.RawTx.decode>) {
  return {
    version,
    inputs: inputs.map(({ txid, index, finalScriptSig, sequence }) => [
      toHex(Uint8Array.from(txid).reverse()),
      index,
      toHex(finalScriptSig),
      sequence,
    ]),
    outputs: outputs.map(({ amount, script: each }) => [amount, toHex(each)]),
    locktime: lockTime,
  }
}

function attempt<T>(read: () => T, refusal: abstract new (...args: never) => Error = Failure): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof refusal) return undefined
    throw error
  }
}
