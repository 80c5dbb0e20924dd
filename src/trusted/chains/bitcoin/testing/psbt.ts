import { secp256k1 } from '@noble/curves/secp256k1.js'
import * as btc from '@scure/btc-signer'
import { fromHex, toHex } from '../../../base/bytes.ts'
import { signSchnorr, taprootSecret } from '../../../crypto/schnorr.ts'
import type { ResourceSignature } from '../../../crypto/signature.ts'
import { taprootOutputKey } from '../../bitcoin-script.ts'
import type { ToSign, TransactionSigner } from '../../transaction.ts'

export type TestKey = {
  readonly secret: Uint8Array
  /** 33 bytes. */
  readonly publicKey: Uint8Array
  readonly signer: TransactionSigner
}

export function testKey(seed: number): TestKey {
  const secret = new Uint8Array(32).fill(seed)
  return keyOf(secret)
}

export function keyOf(secret: Uint8Array): TestKey {
  const publicKey = secp256k1.getPublicKey(secret, true)
  return { secret, publicKey, signer: { curve: 'CURVE_SECP256K1', publicKey: toHex(publicKey) } }
}

/** Signs as the service does: deterministic ECDSA, or BIP-340 with no auxiliary randomness under the tweaked key. */
export function signWithKey({ secret, publicKey }: TestKey, { bytes, scheme }: ToSign): ResourceSignature {
  if (scheme === 'taproot') return signSchnorr(taprootSecret(secret), bytes, taprootOutputKey(publicKey))
  const signature = toHex(secp256k1.sign(bytes, secret, { prehash: false, format: 'recovered' }))
  return { v: signature.startsWith('01') ? '01' : '00', r: signature.slice(2, 66), s: signature.slice(66) }
}

type TestScript = (typeof testScripts)[number]
export const testScripts = [
  'pkh',
  'sh(pk)',
  'sh(pkh)',
  'sh(multi)',
  'wpkh',
  'wsh(pk)',
  'wsh(pkh)',
  'wsh(multi)',
  'tr',
] as const

/** A payment to a key, and where the script has several keys, to another one too. */
export function paymentTo(script: TestScript, { publicKey }: TestKey, other: TestKey) {
  switch (script) {
    case 'pkh':
      return btc.p2pkh(publicKey)
    case 'sh(pk)':
      return btc.p2sh(btc.p2pk(publicKey))
    case 'sh(pkh)':
      return btc.p2sh(btc.p2pkh(publicKey))
    case 'sh(multi)':
      return btc.p2sh(btc.p2ms(2, [publicKey, other.publicKey]))
    case 'wpkh':
      return btc.p2wpkh(publicKey)
    case 'wsh(pk)':
      return btc.p2wsh(btc.p2pk(publicKey))
    case 'wsh(pkh)':
      return btc.p2wsh(btc.p2pkh(publicKey))
    case 'wsh(multi)':
      return btc.p2wsh(btc.p2ms(2, [publicKey, other.publicKey]))
    case 'tr':
      return btc.p2tr(publicKey.subarray(1))
  }
}

type TestPayment = ReturnType<typeof paymentTo>

type TestInput = {
  readonly payment: TestPayment
  readonly value: bigint
  readonly sequence?: number
  /** Both descriptions, not only the one that the kind of payment needs. */
  readonly both?: boolean
}

/** Adds an input with the description that its kind needs. `nonce` makes the spent transactions distinct. */
export function addInput(
  transaction: btc.Transaction,
  { payment, value, sequence, both }: TestInput,
  nonce: number,
): void {
  const previous = btc.RawTx.encode({
    version: 2,
    segwitFlag: false,
    inputs: [
      { txid: new Uint8Array(32).fill(1), index: nonce, finalScriptSig: new Uint8Array(), sequence: 0 },
    ],
    outputs: [
      { amount: 5n, script: Uint8Array.of(0x6a) },
      { amount: value, script: payment.script },
    ],
    witnesses: undefined,
    lockTime: 0,
  })
  const { script } = payment
  const isLegacy = script[0] === 0x76 || (script[0] === 0xa9 && !isNested(payment))
  transaction.addInput({
    txid: idOf(previous),
    index: 1,
    ...(isLegacy || both === true ? { nonWitnessUtxo: previous } : {}),
    ...(isLegacy ? {} : { witnessUtxo: { amount: value, script } }),
    ...('redeemScript' in payment ? { redeemScript: payment.redeemScript } : {}),
    ...('witnessScript' in payment ? { witnessScript: payment.witnessScript } : {}),
    ...('tapInternalKey' in payment ? { tapInternalKey: payment.tapInternalKey } : {}),
    ...('tapMerkleRoot' in payment && payment.tapMerkleRoot instanceof Uint8Array
      ? { tapMerkleRoot: payment.tapMerkleRoot }
      : {}),
    ...(sequence === undefined ? {} : { sequence }),
  })
}

/** A PSBT of these inputs that pays to the first of them, less a fee. */
export function psbtOf(inputs: readonly TestInput[], fee = 1_000n): btc.Transaction {
  const transaction = new btc.Transaction()
  inputs.forEach((input, index) => {
    addInput(transaction, input, index)
  })
  const sum = inputs.reduce((total, { value }) => total + value, 0n)
  transaction.addOutput({ script: btc.p2wpkh(testKey(99).publicKey).script, amount: sum - fee })
  return transaction
}

export function hexOf(transaction: btc.Transaction): string {
  return toHex(transaction.toPSBT(0))
}

function isNested(payment: TestPayment): boolean {
  return 'redeemScript' in payment && payment.redeemScript?.[0] === 0
}

function idOf(raw: Uint8Array): Uint8Array {
  const id = fromHex(btc.Transaction.fromRaw(raw, { allowUnknownOutputs: true, disableScriptCheck: true }).id)
  if (id === undefined) throw new Error('an id is hexadecimal')
  return Uint8Array.from(id)
}
