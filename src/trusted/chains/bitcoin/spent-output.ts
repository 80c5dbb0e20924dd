import { equalBytes } from '../../base/bytes.ts'
import { invalidTransaction } from '../failures.ts'
import { ByteReader } from './byte-reader.ts'
import { isWitnessProgram, readOutputScript } from './output-script.ts'
import { type PsbtMap, valueOf } from './psbt.ts'
import {
  readWireOutput,
  readWireTransaction,
  transactionId,
  type WireInput,
  type WireOutput,
} from './wire-transaction.ts'

/** The output that an input spends, and which of its two descriptions the PSBT has. */
export type SpentOutput = WireOutput & {
  readonly hasTransaction: boolean
  readonly hasWitnessUtxo: boolean
}

/** Types of fields of an input (BIP-174, BIP-371). */
export const PSBT_IN = {
  nonWitnessUtxo: 0x00,
  witnessUtxo: 0x01,
  partialSig: 0x02,
  sighashType: 0x03,
  redeemScript: 0x04,
  witnessScript: 0x05,
  bip32Derivation: 0x06,
  finalScriptSig: 0x07,
  finalScriptWitness: 0x08,
  tapKeySig: 0x13,
  tapBip32Derivation: 0x16,
  tapInternalKey: 0x17,
  proprietary: 0xfc,
} as const

/**
 * The output that an input spends, for any owner. A whole transaction must have the id that the input names; two
 * descriptions must agree; and outputs from before segwit need the whole transaction, because no signature covers their
 * value.
 *
 * @throws Failure `unreadableTransaction` or `invalidTransaction`
 */
export function spentOutput(index: number, input: WireInput, map: PsbtMap): SpentOutput {
  const fromTransaction = ofTransaction(index, input, valueOf(map, PSBT_IN.nonWitnessUtxo))
  const alone = ofWitnessUtxo(index, valueOf(map, PSBT_IN.witnessUtxo))
  if (fromTransaction !== undefined && alone !== undefined && !isSame(fromTransaction, alone)) {
    throw invalidTransaction({
      what: `witness_utxo of input ${index} is not the output of its non_witness_utxo`,
    })
  }
  const spent = fromTransaction ?? alone
  if (spent === undefined) {
    throw invalidTransaction({ what: `input ${index} has neither non_witness_utxo nor witness_utxo` })
  }
  if (alone !== undefined && !mayBeSegwit(spent.script, valueOf(map, PSBT_IN.redeemScript))) {
    throw invalidTransaction({ what: `input ${index} has witness_utxo and spends no output of segwit` })
  }
  if (spent.value > MONEY_MAX) {
    throw invalidTransaction({ what: `input ${index} spends more bitcoins than can exist` })
  }
  return {
    ...spent,
    hasTransaction: fromTransaction !== undefined,
    hasWitnessUtxo: alone !== undefined,
  }
}

/** In satoshi: 21 million bitcoins. */
export const MONEY_MAX = 2_100_000_000_000_000n

function ofTransaction(
  index: number,
  { previousId, vout }: WireInput,
  bytes: Uint8Array | undefined,
): WireOutput | undefined {
  if (bytes === undefined) return undefined
  const previous = readWireTransaction(`non_witness_utxo of input ${index}`, bytes, 'with witness')
  if (!equalBytes(transactionId(previous), previousId)) {
    throw invalidTransaction({
      what: `non_witness_utxo of input ${index} is not the transaction that it spends`,
    })
  }
  const output = previous.outputs[vout]
  if (output === undefined) {
    throw invalidTransaction({ what: `input ${index} spends an output that its transaction does not have` })
  }
  return output
}

function ofWitnessUtxo(index: number, bytes: Uint8Array | undefined): WireOutput | undefined {
  if (bytes === undefined) return undefined
  const reader = new ByteReader(`witness_utxo of input ${index}`, bytes)
  const output = readWireOutput(reader)
  reader.end()
  return output
}

function isSame(a: WireOutput, b: WireOutput): boolean {
  return a.value === b.value && equalBytes(a.script, b.script)
}

/** A script hash may be that of a witness program. The redeem script shows this, but a final input no longer has it. */
function mayBeSegwit(script: Uint8Array, redeemScript: Uint8Array | undefined): boolean {
  if (readOutputScript(script)?.type === 'P2SH') {
    return redeemScript === undefined || isWitnessProgram(redeemScript)
  }
  return isWitnessProgram(script)
}
