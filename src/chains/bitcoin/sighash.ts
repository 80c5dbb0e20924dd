import { hash } from 'node:crypto'
import { present } from '../../base/assert.ts'
import { concat } from '../../base/bytes.ts'
import { writeSized, writeUint32, writeUint64 } from './byte-reader.ts'
import {
  doubleSha256,
  type WireOutput,
  type WireTransaction,
  writeOutpoint,
  writeWireOutput,
  writeWireTransaction,
} from './wire-transaction.ts'

/** SIGHASH_ALL, the only type that ECDSA signs with here. */
export const SIGHASH_ALL = 0x01
/** SIGHASH_DEFAULT: all of it too, and no byte after the signature (BIP-341). */
export const SIGHASH_DEFAULT = 0x00

/** An input of a transaction, by its index. */
export type InputOf = { readonly transaction: WireTransaction; readonly index: number }

/**
 * What is signed of an input before segwit.
 *
 * @param scriptCode  the script that is run, free of OP_CODESEPARATOR
 * @param type        of those that cover all inputs and all outputs
 * @returns           32 bytes
 */
export function legacySighash(
  { transaction, index }: InputOf,
  scriptCode: Uint8Array,
  type = SIGHASH_ALL,
): Uint8Array {
  const inputs = transaction.inputs.map((input, at) => ({
    ...input,
    scriptSig: at === index ? scriptCode : new Uint8Array(),
  }))
  return doubleSha256(concat(writeWireTransaction({ ...transaction, inputs }), writeUint32(type)))
}

/**
 * What is signed of an input of witness version 0 with SIGHASH_ALL.
 *
 * @param scriptCode  for P2WPKH, the script of P2PKH with the same hash; for P2WSH, the witness script
 * @param value       of the output that is spent
 * @returns           32 bytes
 * @see               BIP-143
 */
export function segwitSighash(
  { transaction, index }: InputOf,
  scriptCode: Uint8Array,
  value: bigint,
): Uint8Array {
  const { version, inputs, outputs, locktime } = transaction
  const input = present(inputs[index], 'the input that is signed')
  return doubleSha256(
    concat(
      writeUint32(version),
      doubleSha256(concat(...inputs.map(writeOutpoint))),
      doubleSha256(concat(...inputs.map(({ sequence }) => writeUint32(sequence)))),
      writeOutpoint(input),
      writeSized(scriptCode),
      writeUint64(value),
      writeUint32(input.sequence),
      doubleSha256(concat(...outputs.map(writeWireOutput))),
      writeUint32(locktime),
      writeUint32(SIGHASH_ALL),
    ),
  )
}

/**
 * What is signed of a Taproot input that is spent with its key, without an annex.
 *
 * @param spent  the outputs that all the inputs spend, in their order
 * @param type   SIGHASH_DEFAULT or SIGHASH_ALL
 * @returns      32 bytes
 * @see          BIP-341, "Common signature message"
 */
export function taprootSighash(
  { transaction, index }: InputOf,
  spent: readonly WireOutput[],
  type = SIGHASH_DEFAULT,
): Uint8Array {
  const { version, inputs, outputs, locktime } = transaction
  return sha256(
    concat(
      TAP_SIGHASH,
      TAP_SIGHASH,
      Uint8Array.of(EPOCH, type),
      writeUint32(version),
      writeUint32(locktime),
      sha256(concat(...inputs.map(writeOutpoint))),
      sha256(concat(...spent.map(({ value }) => writeUint64(value)))),
      sha256(concat(...spent.map(({ script }) => writeSized(script)))),
      sha256(concat(...inputs.map(({ sequence }) => writeUint32(sequence)))),
      sha256(concat(...outputs.map(writeWireOutput))),
      Uint8Array.of(KEY_PATH),
      writeUint32(index),
    ),
  )
}

/** The tag stands before the message twice (BIP-340, "Tagged hashes"). */
export const TAP_SIGHASH: Uint8Array = hash('sha256', 'TapSighash', 'buffer')
const EPOCH = 0
const KEY_PATH = 0

function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}
