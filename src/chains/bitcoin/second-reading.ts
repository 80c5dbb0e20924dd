import { Transaction } from '@scure/btc-signer'
import { equalBytes } from '../../base/bytes.ts'
import { unreadableTransaction } from '../failures.ts'
import type { Psbt } from './psbt.ts'
import type { WireOutput } from './wire-transaction.ts'

/**
 * Has the library read the same bytes, and expects it to see the same transaction and the same spent outputs: what two
 * readers read differently is not signed. The library checks what this service passes on unread, too: derivations,
 * signatures of others, fields of outputs.
 *
 * @param spent  one for each input
 * @throws Failure `unreadableTransaction`
 */
export function expectSameReading(bytes: Uint8Array, psbt: Psbt, spent: readonly WireOutput[]): void {
  const second = readWithLibrary(bytes)
  const isSame =
    equalBytes(second.unsignedTx, psbt.unsignedBytes) &&
    second.inputsLength === psbt.inputs.length &&
    second.inputsLength === spent.length &&
    second.outputsLength === psbt.outputs.length &&
    spent.every((output, index) => isSameOutput(output, spentOutputOf(second, index)))
  if (!isSame) throw unreadableTransaction({ what: 'two readers of PSBTs read it differently' })
}

function readWithLibrary(bytes: Uint8Array): Transaction {
  try {
    return Transaction.fromPSBT(bytes, LIBRARY_OPTIONS)
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.slice(0, REASON_CHARACTERS_MAX) : 'it gives no reason'
    throw unreadableTransaction({ what: `the second of two readers refuses the PSBT: ${reason}` })
  }
}

// Scripts and outputs are judged by rules of our own; its checks of scripts of others cost a point multiplication each.
const LIBRARY_OPTIONS = {
  disableScriptCheck: true,
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  unknown: 'ignore',
  proprietary: 'ignore',
} as const

const REASON_CHARACTERS_MAX = 120

function spentOutputOf(transaction: Transaction, index: number): WireOutput | undefined {
  const { nonWitnessUtxo, witnessUtxo, index: vout } = transaction.getInput(index)
  const output = witnessUtxo ?? (vout === undefined ? undefined : nonWitnessUtxo?.outputs[vout])
  return output && { value: output.amount, script: output.script }
}

function isSameOutput(a: WireOutput, b: WireOutput | undefined): boolean {
  return b !== undefined && a.value === b.value && equalBytes(a.script, b.script)
}
