import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Script } from '@scure/btc-signer'
import { hex, vectorTest } from '../../crypto/testing/vectors.ts'
import { sighashesOf } from './sighash.ts'
import {
  readWireTransaction,
  transactionId,
  type WireTransaction,
  writeWireTransaction,
} from './wire-transaction.ts'

type SighashVector = readonly [string, string, number, number, string]

vectorTest<readonly SighashVector[]>(
  'digests from before segwit are those of the vectors',
  'bitcoin/sighash.json',
  ([_, ...vectors]) => {
    let run = 0
    for (const [transactionHex, script, index, type, digest] of vectors) {
      // 501 lines, one of them a heading. Types that leave out inputs or outputs are not signed with.
      if (!coversAll(type)) continue
      const { legacy } = sighashesOf(read(transactionHex), [])
      // A script with OP_CODESEPARATOR is refused before it gets here; the vectors expect it to be cut out.
      assert.equal(shown(legacy(index, withoutSeparators(hex(script)), type >>> 0)), digest)
      run += 1
    }
    assert.equal(run, 253)
  },
)

type WitnessVector = {
  readonly txHex: string
  readonly inIndex: number
  readonly script: string
  readonly type: number
  readonly hash: string
  readonly value: number
}

vectorTest<{ readonly hashForWitnessV0: readonly WitnessVector[] }>(
  'digests of witness version 0 are those of the examples of BIP-143',
  'bitcoin/transaction.json',
  ({ hashForWitnessV0 }) => {
    const all = hashForWitnessV0.filter(({ type }) => type === 1)
    assert.equal(all.length, 3)
    for (const { txHex, inIndex, script, hash, value } of all) {
      const digest = sighashesOf(read(txHex), []).segwit(inIndex, scriptOf(script), BigInt(value))
      assert.equal(Buffer.from(digest).toString('hex'), hash)
    }
  },
)

type TaprootVectors = {
  readonly keyPathSpending: readonly {
    readonly given: {
      readonly rawUnsignedTx: string
      readonly utxosSpent: readonly { readonly scriptPubKey: string; readonly amountSats: number }[]
    }
    readonly inputSpending: readonly {
      readonly given: { readonly txinIndex: number; readonly hashType: number }
      readonly intermediary: { readonly sigHash: string }
    }[]
  }[]
}

vectorTest<TaprootVectors>(
  'digests of Taproot are those of BIP-341',
  'bips/bip-0341-wallet-test-vectors.json',
  ({ keyPathSpending }) => {
    let run = 0
    for (const { given, inputSpending } of keyPathSpending) {
      const spent = given.utxosSpent.map(({ scriptPubKey, amountSats }) => ({
        value: BigInt(amountSats),
        script: hex(scriptPubKey),
      }))
      const { taproot } = sighashesOf(read(given.rawUnsignedTx), spent)
      for (const { given: input, intermediary } of inputSpending) {
        if (input.hashType > 1) continue
        const digest = taproot(input.txinIndex, input.hashType)
        assert.equal(Buffer.from(digest).toString('hex'), intermediary.sigHash)
        run += 1
      }
    }
    assert.equal(run, 2)
  },
)

type Transactions = {
  readonly valid: readonly { readonly id: string; readonly hex: string; readonly whex?: string }[]
  readonly invalid: { readonly fromBuffer: readonly { readonly hex: string }[] }
}

vectorTest<Transactions>(
  'transactions of the vectors are read and written, and have their ids',
  'bitcoin/transaction.json',
  ({ valid, invalid }) => {
    for (const { id, hex: bare, whex } of valid) {
      for (const form of [bare, whex]) {
        if (form === undefined || form === '') continue
        const transaction = readWireTransaction('a vector', hex(form), 'with witness')
        assert.equal(Buffer.from(writeWireTransaction(transaction)).toString('hex'), bare)
        assert.equal(shown(transactionId(transaction)), id)
      }
    }
    assert.equal(valid.length, 20)
    for (const { hex: form } of invalid.fromBuffer) {
      assert.throws(
        () => readWireTransaction('a vector', hex(form), 'with witness'),
        /failed to parse transaction/,
      )
    }
  },
)

vectorTest<readonly (readonly unknown[])[]>(
  'transactions that nodes take are read as a library reads them',
  'bitcoin/tx_valid.json',
  async (lines) => {
    const { RawTx } = await import('@scure/btc-signer')
    const forms = lines.filter((line) => line.length === 3).map(([_, form]) => String(form))
    for (const form of forms) {
      const ours = readWireTransaction('a vector', hex(form), 'with witness')
      const theirs = RawTx.decode(hex(form))
      assert.equal(ours.version | 0, theirs.version)
      assert.equal(ours.locktime, theirs.lockTime)
      assert.deepEqual(
        ours.inputs.map(({ previousId, vout, scriptSig, sequence }) => [
          shown(previousId),
          vout,
          plain(scriptSig),
          sequence,
        ]),
        theirs.inputs.map(({ txid, index, finalScriptSig, sequence }) => [
          plain(txid),
          index,
          plain(finalScriptSig),
          sequence,
        ]),
      )
      assert.deepEqual(
        ours.outputs.map(({ value, script }) => [value, plain(script)]),
        theirs.outputs.map(({ amount, script }) => [amount, plain(script)]),
      )
    }
    assert.equal(forms.length, 118)
  },
)

test('digests do not depend on the scripts of a transaction that is signed already', () => {
  const input = { previousId: new Uint8Array(32), vout: 1, sequence: 2 }
  const transaction = (scriptSig: Uint8Array): WireTransaction => ({
    version: 2,
    inputs: [
      { ...input, scriptSig },
      { ...input, scriptSig },
    ],
    outputs: [{ value: 3n, script: Uint8Array.of(1) }],
    locktime: 0,
  })
  const [bare, signed] = [new Uint8Array(), new Uint8Array(300)].map((script) =>
    shown(sighashesOf(transaction(script), []).legacy(1, Uint8Array.of(0xac))),
  )
  assert.equal(bare, signed)
})

function coversAll(type: number): boolean {
  const outputs = type & 0x1f
  return (type & 0x80) === 0 && outputs !== 2 && outputs !== 3
}

function read(transaction: string): WireTransaction {
  return readWireTransaction('a vector', hex(transaction), 'without witness')
}

/** The scripts of these vectors push nothing, so that each byte is an operation. */
function withoutSeparators(script: Uint8Array): Uint8Array {
  return script.filter((operation) => operation !== 0xab)
}

function scriptOf(text: string): Uint8Array {
  return Script.encode(
    text.split(' ').map((part) => {
      const name = part.replace(/^OP_(?!\d)/, '')
      return /^[0-9a-f]{4,}$/.test(part) ? hex(part) : (name as Parameters<typeof Script.encode>[0][number])
    }),
  )
}

function shown(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString('hex')
}

function plain(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
