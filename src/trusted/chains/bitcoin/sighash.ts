import { hash } from 'node:crypto'
import { present } from '../../base/assert.ts'
import { concat } from '../../base/bytes.ts'
import { writeCompactSize, writeSized, writeUint32, writeUint64 } from './byte-reader.ts'
import {
  type WireOutput,
  type WireTransaction,
  writeOutpoint,
  writeWireOutput,
  writeWireTransaction,
} from './wire-transaction.ts'
import { doubleSha256 } from './double-sha256.ts'

/** SIGHASH_ALL, the only type for ECDSA here. */
export const SIGHASH_ALL = 0x01
/** SIGHASH_DEFAULT: covers the same, without a byte after the signature (BIP-341). */
export const SIGHASH_DEFAULT = 0x00

/** The digests for the inputs of one transaction, 32 bytes each. Each covers all inputs and all outputs. */
export type Sighashes = {
  /**
   * Of an input from before segwit.
   *
   * @param scriptCode  the script that is run, without OP_CODESEPARATOR
   * @param type        32 bits, all of which enter the digest
   */
  legacy(index: number, scriptCode: Uint8Array, type?: number): Uint8Array
  /**
   * Of an input of witness version 0 (BIP-143).
   *
   * @param scriptCode  for P2WPKH, the script of P2PKH with the same hash; for P2WSH, the witness script
   * @param value       of the output that is spent, in satoshi
   */
  segwit(index: number, scriptCode: Uint8Array, value: bigint): Uint8Array
  /**
   * Of a Taproot input that is spent with its key, without an annex (BIP-341, "Common signature message").
   *
   * @param type  SIGHASH_DEFAULT or SIGHASH_ALL
   */
  taproot(index: number, type?: number): Uint8Array
}

/** @param spent  the outputs that the inputs spend, in their order; only Taproot needs them */
export function sighashesOf(transaction: WireTransaction, spent: readonly WireOutput[]): Sighashes {
  const { version, inputs, outputs, locktime } = transaction
  const bare = writeWireTransaction({
    ...transaction,
    inputs: inputs.map((input) => ({ ...input, scriptSig: new Uint8Array() })),
  })
  const firstScript = 4 + writeCompactSize(inputs.length).length + OUTPOINT_LENGTH
  const outpointsHash = sha256(concat(...inputs.map(writeOutpoint)))
  const sequencesHash = sha256(concat(...inputs.map(({ sequence }) => writeUint32(sequence))))
  const outputsHash = sha256(concat(...outputs.map(writeWireOutput)))
  const valuesHash = sha256(concat(...spent.map(({ value }) => writeUint64(value))))
  const scriptsHash = sha256(concat(...spent.map(({ script }) => writeSized(script))))
  return {
    legacy(index, scriptCode, type = SIGHASH_ALL) {
      const at = firstScript + index * BARE_INPUT_LENGTH
      return doubleSha256(
        concat(bare.subarray(0, at), writeSized(scriptCode), bare.subarray(at + 1), writeUint32(type)),
      )
    },
    segwit(index, scriptCode, value) {
      const input = present(inputs[index], 'the input that is signed')
      return doubleSha256(
        concat(
          writeUint32(version),
          sha256(outpointsHash),
          sha256(sequencesHash),
          writeOutpoint(input),
          writeSized(scriptCode),
          writeUint64(value),
          writeUint32(input.sequence),
          sha256(outputsHash),
          writeUint32(locktime),
          writeUint32(SIGHASH_ALL),
        ),
      )
    },
    taproot(index, type = SIGHASH_DEFAULT) {
      return sha256(
        concat(
          TAP_SIGHASH,
          TAP_SIGHASH,
          Uint8Array.of(EPOCH, type),
          writeUint32(version),
          writeUint32(locktime),
          outpointsHash,
          valuesHash,
          scriptsHash,
          sequencesHash,
          outputsHash,
          Uint8Array.of(KEY_PATH),
          writeUint32(index),
        ),
      )
    },
  }
}

/** The hash of the tag precedes the message twice (BIP-340, "Tagged hashes"). */
export const TAP_SIGHASH: Uint8Array = hash('sha256', 'TapSighash', 'buffer')
const EPOCH = 0
const KEY_PATH = 0

const OUTPOINT_LENGTH = 36
/** An outpoint, the length of an empty script, and a sequence. */
const BARE_INPUT_LENGTH = OUTPOINT_LENGTH + 1 + 4

function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}
