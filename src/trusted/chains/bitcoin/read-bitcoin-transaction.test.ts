import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import * as btc from '@scure/btc-signer'
import fc from 'fast-check'
import { fromHex, toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import { readDer } from '../../crypto/der.ts'
import { hex, vectorTest } from '../../crypto/testing/vectors.ts'
import { bitcoinAddress } from '../bitcoin-address.ts'
import { taprootOutputKey } from '../bitcoin-script.ts'
import {
  addInput,
  hexOf,
  keyOf,
  paymentTo,
  psbtOf,
  signWithKey,
  type TestKey,
  testKey,
  testScripts,
} from './testing/psbt.ts'
import { readBitcoinTransaction } from './read-bitcoin-transaction.ts'

const own = testKey(7)
const other = testKey(8)
const NO_RANDOMNESS = new Uint8Array(32)

type Kat = {
  readonly type: string
  readonly kind: string
  readonly signWith: string
  readonly unsignedTransaction: string
  readonly signedTransaction: string
}

vectorTest<{ readonly signTransaction: readonly Kat[] }>(
  'the known transactions are signed as the facts have it',
  'facts/crypto-kats.json',
  ({ signTransaction }) => {
    const kats = signTransaction.filter(({ type }) => type === 'TRANSACTION_TYPE_BITCOIN')
    assert.equal(kats.length, 2)
    for (const { kind, signWith, unsignedTransaction, signedTransaction } of kats) {
      const { partialSig, tapKeySig, tapInternalKey } = btc.Transaction.fromPSBT(
        hex(signedTransaction),
      ).getInput(0)
      const [[publicKey, signature] = [undefined, undefined]] = partialSig ?? []
      const key = publicKey ?? Uint8Array.of(2, ...(tapInternalKey ?? []))
      const read = readBitcoinTransaction(
        unsignedTransaction,
        { curve: 'CURVE_SECP256K1', publicKey: toHex(key) },
        signWith,
      )
      const rs = tapKeySig ?? readDer(signature?.subarray(0, -1) ?? new Uint8Array(), orderOfSecp256k1())
      assert.ok(rs)
      const [only] = read.toSign
      assert.ok(only)
      const verifies =
        kind === 'P2WPKH'
          ? secp256k1.verify(rs, only.bytes, key, { prehash: false })
          : schnorr.verify(rs, only.bytes, taprootOutputKey(key))
      assert.ok(verifies, kind)
      const rsHex = toHex(rs)
      assert.equal(read.signed([{ r: rsHex.slice(0, 64), s: rsHex.slice(64), v: '00' }]), signedTransaction)
      assert.deepEqual(txOf(read.seen), {
        version: '2',
        inputs: [{ tx_id: 'aa'.repeat(32), vout: 0n, sequence: 0xffffffffn }],
        outputs: [
          {
            value: 9_000n,
            script_pubkey: '001407185fa28850eb2b0dfdbf26f6b528a1a6b34b3f',
            address: 'tb1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelvmc7t8',
            address_type: 'P2WPKH',
          },
        ],
        locktime: { amount: 0n, type: 'Blocks' },
        fee: 1_000n,
      })
    }
  },
)

type SignerVector = {
  readonly psbt: string
  readonly keys: readonly { readonly inputToSign: number; readonly WIF: string }[]
  readonly result: string
}

type PsbtVectors = {
  readonly bip174: {
    readonly invalid: readonly { readonly description: string; readonly psbt: string }[]
    readonly failSignChecks: readonly { readonly description: string; readonly psbt: string }[]
    readonly signer: readonly SignerVector[]
  }
}

vectorTest<PsbtVectors>(
  'signers of the vectors sign what is signed here with the same signatures, and what is not is refused',
  'bitcoin/psbt.json',
  ({ bip174: { signer } }) => {
    let signed = 0
    const refused: string[] = []
    for (const { psbt, keys, result } of signer) {
      const expected = btc.Transaction.fromPSBT(Buffer.from(result, 'base64'), { allowUnknownOutputs: true })
      for (const { inputToSign, WIF } of keys) {
        const key = keyOf(btc.WIF(btc.TEST_NETWORK).decode(WIF))
        const read = attempt(() =>
          readBitcoinTransaction(
            Buffer.from(psbt, 'base64').toString('hex'),
            key.signer,
            toHex(key.publicKey),
          ),
        )
        if (typeof read === 'string') {
          refused.push(read)
          continue
        }
        const transaction = btc.Transaction.fromPSBT(
          hex(read.signed(read.toSign.map((each) => signWithKey(key, each)))),
        )
        const ours = transaction.getInput(inputToSign).partialSig
        const theirs = expected.getInput(inputToSign).partialSig
        const mine = ours?.find(([publicKey]) => toHex(publicKey) === toHex(key.publicKey))
        assert.ok(mine)
        assert.deepEqual(
          mine,
          theirs?.find(([publicKey]) => toHex(publicKey) === toHex(key.publicKey)),
        )
        signed += 1
      }
    }
    assert.equal(signed, 4)
    // Nested segwit of a multi-signature, and Taproot with keys that the vectors give tweaked already or in a script
    // tree.
    assert.deepEqual(
      refused.map((message) => /wrapped|no input to sign/.exec(message)?.[0]),
      ['wrapped', 'wrapped', ...Array.from({ length: 6 }, () => 'no input to sign')],
    )
  },
)

vectorTest<PsbtVectors>(
  'PSBTs that BIP-174 says are invalid, or not to be signed, are refused',
  'bitcoin/psbt.json',
  ({ bip174: { invalid, failSignChecks } }) => {
    for (const { description, psbt } of [...invalid, ...failSignChecks]) {
      assert.throws(
        () => readBitcoinTransaction(Buffer.from(psbt, 'base64').toString('hex'), own.signer, ''),
        (error) => error instanceof Failure && error.kind !== 'noInputToSign',
        description,
      )
    }
    assert.equal(invalid.length + failSignChecks.length, 22)
  },
)

test('each kind of script is signed, to the byte, as a library signs it', () => {
  for (const script of testScripts) {
    const transaction = psbtOf([{ payment: paymentTo(script, own, other), value: 10_000n }])
    const read = readBitcoinTransaction(hexOf(transaction), own.signer, toHex(own.publicKey))
    assert.equal(read.toSign.length, 1)
    transaction.sign(own.secret, undefined, NO_RANDOMNESS)
    assert.equal(signedBy(own, read), hexOf(transaction), script)
  }
})

test('inputs of all kinds, own and of others, in any transaction are signed as a library signs them', () => {
  const anInput = fc.record({
    script: fc.constantFrom(...testScripts),
    isOwn: fc.boolean(),
    value: fc.bigInt(1_000n, 10n ** 12n),
    sequence: fc.integer({ min: 0, max: 0xffffffff }),
    both: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(anInput, { maxLength: 4 }),
      fc.record({
        version: fc.constantFrom(1, 2, 3),
        lockTime: fc.integer({ min: 0, max: 0xffffffff }),
        script: fc.constantFrom(...testScripts),
        fee: fc.bigInt(0n, 900n),
      }),
      (others, { version, lockTime, script, fee }) => {
        // At least one of the inputs is the key's.
        const inputs = [...others, { script, isOwn: true, value: 5_000n, sequence: 1, both: false }].map(
          ({ isOwn, script: each, ...rest }) => ({
            payment: isOwn ? paymentTo(each, own, other) : paymentTo(each, other, testKey(9)),
            isOwn,
            ...rest,
          }),
        )
        const transaction = new btc.Transaction({ version, lockTime })
        inputs.forEach((input, index) => addInput(transaction, input, index))
        const sum = inputs.reduce((total, { value }) => total + value, 0n)
        transaction.addOutput({ script: paymentTo(script, other, own).script, amount: sum - fee })
        const read = readBitcoinTransaction(hexOf(transaction), own.signer, 'bc1')
        const signed = transaction.sign(own.secret, undefined, NO_RANDOMNESS)
        assert.equal(read.toSign.length, signed)
        assert.equal(signedBy(own, read), hexOf(transaction))
        const tx = txOf(read.seen)
        assert.equal(tx['fee'], transaction.fee)
        assert.equal(tx['version'], String(version))
        assert.deepEqual(tx['locktime'], {
          amount: BigInt(lockTime),
          type: lockTime < 500_000_000 ? 'Blocks' : 'Seconds',
        })
        assert.deepEqual(
          tx['inputs'],
          inputs.map(({ sequence }, index) => ({
            tx_id: toHex(transaction.getInput(index).txid ?? new Uint8Array()),
            vout: 1n,
            sequence: BigInt(sequence),
          })),
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('a PSBT that all of its signers have signed is finalised by a library', () => {
  const kinds = testScripts.map((script) => ({ payment: paymentTo(script, own, other), value: 10_000n }))
  let psbt = hexOf(psbtOf(kinds))
  psbt = signedBy(own, readBitcoinTransaction(psbt, own.signer, ''))
  psbt = signedBy(other, readBitcoinTransaction(psbt, other.signer, ''))
  const transaction = btc.Transaction.fromPSBT(hex(psbt))
  transaction.finalize()
  assert.equal(btc.Transaction.fromRaw(transaction.extract()).inputsLength, testScripts.length)
})

test('nested segwit is signed for the address that this service gives out, and refused otherwise', () => {
  const nested = psbtOf([{ payment: btc.p2sh(btc.p2wpkh(own.publicKey)), value: 10_000n }])
  for (const network of ['MAINNET', 'TESTNET'] as const) {
    const signWith = bitcoinAddress(network, 'P2SH')(own.publicKey)
    const transaction = nested.clone()
    const read = readBitcoinTransaction(hexOf(transaction), own.signer, signWith)
    transaction.sign(own.secret)
    assert.equal(signedBy(own, read), hexOf(transaction))
  }
  for (const signWith of ['', bitcoinAddress('MAINNET', 'P2WPKH')(own.publicKey)]) {
    refuses(nested, /input 0 .*wrapped in a script hash/, own, signWith)
  }
  const wrapped = psbtOf([{ payment: btc.p2sh(btc.p2wsh(btc.p2pk(own.publicKey))), value: 10_000n }])
  refuses(wrapped, /wrapped in a script hash/, own, bitcoinAddress('MAINNET', 'P2SH')(own.publicKey))
  refuses(psbtOf([{ payment: btc.p2sh(btc.p2wpkh(other.publicKey)), value: 10_000n }]), /no input to sign/)
})

test('addresses are seen in the form of the network of the address that was named', () => {
  const transaction = psbtOf([{ payment: btc.p2wpkh(own.publicKey), value: 100_000n }], 50_000n)
  for (const script of ['pkh', 'sh(pk)', 'wpkh', 'wsh(pk)', 'tr'] as const) {
    transaction.addOutput({ script: paymentTo(script, other, own).script, amount: 1_000n })
  }
  const shown = (signWith: string) =>
    (
      txOf(readBitcoinTransaction(hexOf(transaction), own.signer, signWith).seen)['outputs'] as {
        address: string
      }[]
    ).map(({ address }) => address)
  const expected = (network: typeof btc.NETWORK) =>
    Array.from({ length: 6 }, (_, index) => transaction.getOutputAddress(index, network))
  const { MAINNET, TESTNET, REGTEST } = {
    MAINNET: btc.NETWORK,
    TESTNET: btc.TEST_NETWORK,
    REGTEST: { ...btc.TEST_NETWORK, bech32: 'bcrt' },
  }
  for (const script of ['P2PKH', 'P2SH', 'P2WPKH', 'P2WSH', 'P2TR'] as const) {
    assert.deepEqual(shown(bitcoinAddress('MAINNET', script)(own.publicKey)), expected(MAINNET))
    assert.deepEqual(shown(bitcoinAddress('TESTNET', script)(own.publicKey)), expected(TESTNET))
    assert.deepEqual(shown(bitcoinAddress('SIGNET', script)(own.publicKey)), expected(TESTNET))
  }
  for (const script of ['P2WPKH', 'P2WSH', 'P2TR'] as const) {
    assert.deepEqual(shown(bitcoinAddress('REGTEST', script)(own.publicKey)), expected(REGTEST))
  }
  for (const signWith of [
    toHex(own.publicKey),
    '2f0c9f3a-0b6e-4d0f-9a3c-3d3e0a4f6b77',
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  ]) {
    assert.deepEqual(shown(signWith), expected(MAINNET))
  }
})

test('an output that pays to no address is refused in the words of the interface', () => {
  const scripts = ['6a04deadbeef', '51024e73', `21${toHex(other.publicKey)}ac`, `5220${'11'.repeat(32)}`, '']
  for (const script of scripts) {
    const transaction = new btc.Transaction({ allowUnknownOutputs: true, disableScriptCheck: true })
    addInput(transaction, { payment: btc.p2wpkh(own.publicKey), value: 10_000n }, 0)
    transaction.addOutput({ script: Uint8Array.from(hex(script)), amount: 0n })
    refuses(transaction, /^failed to extract bitcoin address from script with error: UnrecognizedScript$/)
  }
})

test('an input of the key of which the rules are not kept is refused', () => {
  const wpkh = btc.p2wpkh(own.publicKey)
  const with1 = (
    change: (transaction: btc.Transaction) => void,
    payment: Parameters<typeof psbtOf>[0][number]['payment'] = wpkh,
  ) => {
    const transaction = psbtOf([{ payment, value: 10_000n }])
    change(transaction)
    return transaction
  }
  for (const sighashType of [0, 2, 3, 0x81, 0x82, 0x83]) {
    refuses(
      with1((tx) => tx.updateInput(0, { sighashType })),
      /not SIGHASH_ALL/,
    )
  }
  for (const sighashType of [1, 2, 3, 0x81, 0x82, 0x83]) {
    refuses(
      with1((tx) => tx.updateInput(0, { sighashType }), paymentTo('tr', own, other)),
      /not SIGHASH_DEFAULT/,
    )
  }
  refuses(
    with1((tx) => tx.sign(own.secret)),
    /a signature of the key already/,
  )
  refuses(
    with1((tx) => tx.sign(own.secret), paymentTo('tr', own, other)),
    /a signature of the key already/,
  )
  refuses(
    with1((tx) => {
      tx.sign(own.secret)
      tx.finalize()
    }),
    /final already/,
  )
  refuses(
    with1((tx) => tx.updateInput(0, { porCommitment: Uint8Array.of(1) })),
    /field of type 0x09/,
  )
  const tree = btc.p2tr(
    own.publicKey.subarray(1),
    { script: Uint8Array.of(0x20, ...other.publicKey.subarray(1), 0xac) },
    undefined,
    true,
  )
  refuses(
    with1(() => undefined, tree),
    /tweaked with a script tree/,
  )
  const separated = btc.p2wsh({ type: 'unknown', script: Uint8Array.of(0xab, 33, ...own.publicKey, 0xac) })
  refuses(
    with1(() => undefined, separated),
    /OP_CODESEPARATOR/,
  )
})

test('what is said of the outputs that are spent must be whole, consistent and enough', () => {
  const changed = (from: string, change: (psbt: string) => string, message: RegExp) =>
    assert.throws(() => readBitcoinTransaction(change(from), own.signer, ''), isFailure(message))
  const both = hexOf(psbtOf([{ payment: btc.p2wpkh(own.publicKey), value: 10_000n, both: true }]))
  readBitcoinTransaction(both, own.signer, '')
  const value = Buffer.from([0x10, 0x27, 0, 0, 0, 0, 0, 0]).toString('hex')
  const more = Buffer.from([0x11, 0x27, 0, 0, 0, 0, 0, 0]).toString('hex')
  const [last, first] = [both.lastIndexOf(value), both.indexOf(value)]
  assert.ok(first < last)
  changed(
    both,
    (psbt) => psbt.slice(0, last) + more + psbt.slice(last + 16),
    /witness_utxo of input 0 is not the output/,
  )
  changed(
    both,
    (psbt) => psbt.slice(0, first) + more + psbt.slice(first + 16),
    /non_witness_utxo of input 0 is not the transaction/,
  )

  const none = new btc.Transaction()
  none.addInput({ txid: new Uint8Array(32).fill(3), index: 0 })
  none.addOutput({ script: btc.p2wpkh(own.publicKey).script, amount: 1n })
  refuses(none, /neither non_witness_utxo nor witness_utxo/)

  const noValue = new btc.Transaction()
  noValue.addInput({
    txid: new Uint8Array(32).fill(3),
    index: 0,
    witnessUtxo: { amount: 10n, script: btc.p2pkh(own.publicKey).script },
  })
  noValue.addOutput({ script: btc.p2wpkh(own.publicKey).script, amount: 1n })
  refuses(noValue, /spends no output of segwit/)

  refuses(
    psbtOf([{ payment: btc.p2wpkh(own.publicKey), value: 10_000n }], -1n),
    /exceed the inputs by 1 satoshi/,
  )
  refuses(
    psbtOf([{ payment: btc.p2wpkh(own.publicKey), value: 2_100_000_000_000_001n }]),
    /more bitcoins than can exist/,
  )
  const two = [own, own].map(({ publicKey }) => ({
    payment: btc.p2wpkh(publicKey),
    value: 2_100_000_000_000_000n,
  }))
  refuses(psbtOf(two), /outputs exceed the number of bitcoins that can exist/)
  refuses(
    psbtOf([{ payment: btc.p2wpkh(other.publicKey), value: 10_000n }]),
    /no input to sign: none of the 1 inputs/,
  )
})

test('what a PSBT may not be is refused before anything is signed', () => {
  const good = hexOf(psbtOf([{ payment: btc.p2wpkh(own.publicKey), value: 10_000n }]))
  const unsigned = good.slice(14, 14 + 0x52 * 2)
  assert.ok(good.startsWith(`70736274ff010052${unsigned.slice(0, 8)}`.slice(0, 14)))
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /not a PSBT/],
    ['zz', /not hexadecimal/],
    [good.slice(0, -2), /is cut off/],
    [`${good}00`, /followed by 1 bytes/],
    [good.replace('010052', '0100fd5200'), /shortest form/],
    [good.replace('70736274ff0100', '70736274ff01fb0402000000' + '0100'), /PSBT of version 02000000/],
    [good.replace('70736274ff0100', '70736274ff01fb0401000000' + '0100'), /PSBT of version 01000000/],
    [good.replace('70736274ff0100', '70736274ff01fb0100' + '0100'), /PSBT of version 00 /],
    [good.replace('70736274ff0100', '70736274ff02fc0000' + '02fc0000' + '0100'), /twice/],
    [good.replace('70736274ff0100', '70736274ff03fdfd0000' + '0100'), /key of an unknown kind/],
    [good.replace('70736274ff0100', '70736274ff0104' + '01010100'), /refuses the PSBT/],
    [
      hexOf(psbtOf([{ payment: btc.p2wpkh(own.publicKey), value: 10_000n }])).replace('02000000', '04000000'),
      /transaction of version 4/,
    ],
    [
      hexOf(psbtOf([{ payment: btc.p2wpkh(own.publicKey), value: 10_000n }])).replace('02000000', 'ffffffff'),
      /transaction of version -1/,
    ],
  ]
  for (const [psbt, message] of cases) {
    assert.throws(() => readBitcoinTransaction(psbt, own.signer, ''), isFailure(message), `${message}`)
  }
  assert.ok(
    readBitcoinTransaction(
      good.replace('70736274ff0100', '70736274ff01fb0400000000' + '0100'),
      own.signer,
      '',
    ),
  )
  assert.throws(
    () => readBitcoinTransaction(good, { curve: 'CURVE_P256', publicKey: '' }, ''),
    isFailure(/^invalid curve: a transaction of Bitcoin/),
  )
})

test('fields that are passed on unread come back as they were', () => {
  const good = hexOf(psbtOf([{ payment: btc.p2wpkh(own.publicKey), value: 10_000n }]))
  const proprietary = '06fc03616263000155'
  const withFields = good
    .replace('70736274ff', `70736274ff${proprietary}`)
    .replace(/0000$/, `${proprietary}00${proprietary}02ee01020a0b00`)
  const signed = signedBy(own, readBitcoinTransaction(withFields, own.signer, ''))
  assert.equal(signed.split(proprietary).length, 4)
  assert.ok(signed.endsWith('02ee01020a0b00'))
})

test('a changed PSBT is refused cleanly, or signs for what a library sees in it', () => {
  const originals = testScripts.map((script) =>
    hex(
      hexOf(
        psbtOf([
          { payment: paymentTo(script, own, other), value: 10_000n },
          { payment: paymentTo('wpkh', other, own), value: 20_000n, both: true },
        ]),
      ),
    ),
  )
  let accepted = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...originals),
      fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('set', 'drop', 'insert', 'flip')), {
        minLength: 1,
        maxLength: 2,
      }),
      (original, changes) => {
        const psbt = toHex(changes.reduce(changed, original))
        const read = attempt(() => readBitcoinTransaction(psbt, own.signer, ''))
        if (typeof read === 'string') return
        accepted += 1
        const transaction = btc.Transaction.fromPSBT(hex(psbt), {
          allowUnknownOutputs: true,
          disableScriptCheck: true,
          unknown: 'ignore',
        })
        const tx = txOf(read.seen)
        assert.equal(tx['fee'], transaction.fee)
        assert.deepEqual(
          (tx['outputs'] as { value: bigint; script_pubkey: string }[]).map(({ value, script_pubkey }) => [
            value,
            script_pubkey,
          ]),
          Array.from({ length: transaction.outputsLength }, (_, index) => {
            const { amount, script } = transaction.getOutput(index)
            return [amount, toHex(script ?? new Uint8Array())]
          }),
        )
        for (const { bytes } of read.toSign) assert.equal(bytes.length, 32)
      },
    ),
    { numRuns: 4_000 },
  )
  assert.ok(accepted > 100, `${accepted} of 4,000 changed PSBTs were still signed`)
})

// The limit of what policies know about fees (docs/decisions/bitcoin-transactions.md): a change of it is a change
// there.
test('a false amount of another input leaves a signature of segwit v0 valid, and of Taproot or of one input not', () => {
  const [value, out] = [1_000_000n, 1_000_000n - 500n]
  const claiming = (script: 'wpkh' | 'tr', values: readonly bigint[]) => {
    const transaction = psbtOf(
      values.map(() => ({ payment: paymentTo(script, own, other), value })),
      BigInt(values.length) * value - out,
    )
    const witness = paymentTo(script, own, other).script
    values.forEach((amount, index) =>
      transaction.updateInput(index, { witnessUtxo: { amount, script: witness } }, true),
    )
    return readBitcoinTransaction(hexOf(transaction), own.signer, '')
  }
  const digests = (script: 'wpkh' | 'tr', values: readonly bigint[]) =>
    claiming(script, values).toSign.map(({ bytes }) => toHex(bytes))
  const feeOf = (values: readonly bigint[]) => txOf(claiming('wpkh', values).seen)['fee']

  // Two requests, each true about one input, are signed: together they pay a fee of half the money.
  assert.deepEqual(
    [feeOf([value, 0n]), feeOf([0n, value]), feeOf([value, value])],
    [500n, 500n, value + 500n],
  )
  const [first, second] = digests('wpkh', [value, value])
  assert.equal(digests('wpkh', [value, 0n])[0], first)
  assert.equal(digests('wpkh', [0n, value])[1], second)
  // Taproot signs all amounts, and the only input its own.
  const tapped = digests('tr', [value, value])
  for (const claimed of [digests('tr', [value, 0n]), digests('tr', [0n, value])])
    assert.ok(claimed.every((digest) => !tapped.includes(digest)))
  assert.notDeepEqual(digests('wpkh', [value + 1n]), digests('wpkh', [value]))
})

test('bytes without meaning are refused cleanly', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, withMagic) => {
      const psbt = (withMagic ? '70736274ff' : '') + toHex(bytes)
      assert.throws(
        () => readBitcoinTransaction(psbt, own.signer, ''),
        isFailure(/^failed to parse transaction: /),
      )
    }),
    { numRuns: 3_000 },
  )
})

function signedBy(key: TestKey, read: ReturnType<typeof readBitcoinTransaction>): string {
  return read.signed(read.toSign.map((each) => signWithKey(key, each)))
}

function refuses(transaction: btc.Transaction, message: RegExp, key: TestKey = own, signWith = ''): void {
  assert.throws(() => readBitcoinTransaction(hexOf(transaction), key.signer, signWith), isFailure(message))
}

/** As JSON has it, where texts without case are texts. */
function txOf(seen: unknown): Record<string, unknown> {
  const { tx } = (seen as { bitcoin: { tx: Record<string, unknown> } }).bitcoin
  const outputs = tx['outputs'] as Record<string, unknown>[]
  return {
    ...tx,
    outputs: outputs.map((output) => ({ ...output, address_type: String(output['address_type']) })),
  }
}

function attempt<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

function isFailure(message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Failure, String(error))
    assert.match(error.message, message)
    return true
  }
}

function changed(original: Uint8Array, [where, byte, how]: readonly [number, number, string]): Uint8Array {
  const at = where % original.length
  const rest = Buffer.from(original.subarray(at + 1))
  const replacement =
    how === 'drop' ? [] : how === 'flip' ? [(original[at] ?? 0) ^ (1 << (byte % 8))] : [byte]
  const kept = how === 'insert' ? [original[at] ?? 0] : []
  return Buffer.concat([original.subarray(0, at), Buffer.from([...replacement, ...kept]), rest])
}

function orderOfSecp256k1(): Uint8Array {
  return fromHex(secp256k1.Point.Fn.ORDER.toString(16)) ?? new Uint8Array()
}
