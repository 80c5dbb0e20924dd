import { _DebugPSBT, RawPSBTV0 } from '@scure/btc-signer/psbt.js'
import { RawOldTx, RawTx } from '@scure/btc-signer/script.js'
import { present } from '../../base/assert.ts'
import { asBuffer, equalBytes, toHex } from '../../base/bytes.ts'
import { costs } from '../../base/costs.ts'
import type { Steps } from '../../base/work.ts'
import { unreadableTransaction } from '../failures.ts'
import { type Psbt, type PsbtMap, valueOf } from './psbt.ts'
import { type PsbtPiece, psbtPieces } from './psbt-pieces.ts'
import { PSBT_IN, type SpentOutput } from './spent-output.ts'
import type { WireInput, WireOutput, WireTransaction } from './wire-transaction.ts'
import { doubleSha256 } from './double-sha256.ts'

/**
 * Reads the same bytes with the library as well, which must find the same maps, the same transaction and the same spent
 * outputs: a PSBT that two readers read differently is not signed. The library also checks the fields that this service
 * does not interpret: derivations, signatures of others, fields of outputs. Once both have found the same fields in the
 * same maps, the library reads them in pieces, because reading all of them at once would delay other requests.
 *
 * @param spent  one for each input
 * @throws Failure `unreadableTransaction`
 */
export function* sameReadingSteps(bytes: Uint8Array, psbt: Psbt, spent: readonly SpentOutput[]): Steps<void> {
  const maps = [psbt.global, ...psbt.inputs, ...psbt.outputs]
  const fields = maps.reduce((sum, map) => sum + map.length, 0)
  yield fields * costs.psbtFieldFound + bytes.length * costs.hashedByte
  expectSameMaps(maps, read(() => _DebugPSBT.decode(bytes)).items)
  const { unsigned, unsignedBytes } = psbt
  expectSame(spent.length === unsigned.inputs.length)
  yield unsignedBytes.length * costs.secondReadingByte
  expectSame(
    isSameTransaction(
      unsigned,
      read(() => RawOldTx.decode(unsignedBytes)),
    ),
  )
  for (const [index, input] of unsigned.inputs.entries()) {
    const previous = valueOf(present(psbt.inputs[index], 'a map for each input'), PSBT_IN.nonWitnessUtxo)
    if (previous !== undefined)
      yield* sameSpentTransaction(previous, input, present(spent[index], 'one for each input'))
  }
  for (const piece of psbtPieces(psbt)) {
    yield piece.cost
    expectSameWitnessOutputs(piece, spent)
  }
}

/** Two steps: the library needs some ten milliseconds to read a long transaction, and as long to write it. */
function* sameSpentTransaction(
  previous: Uint8Array,
  { previousId, vout }: WireInput,
  spent: SpentOutput,
): Steps<void> {
  yield costs.psbtFieldRead + previous.length * costs.secondReadingByte
  const second = read(() => RawTx.decode(previous))
  expectSame(isSameOutput(spent, second.outputs[vout]))
  yield costs.psbtFieldRead + previous.length * costs.secondReadingByte
  expectSame(equalBytes(doubleSha256(RawOldTx.encode(second)), previousId))
}

function expectSameWitnessOutputs({ bytes, inputs }: PsbtPiece, spent: readonly SpentOutput[]): void {
  const second = read(() => RawPSBTV0.decode(bytes))
  for (const [at, index] of inputs.entries()) {
    const output = second.inputs[at]?.witnessUtxo
    if (output !== undefined) expectSame(isSameOutput(present(spent[index], 'one for each input'), output))
  }
}

function expectSameMaps(
  maps: readonly PsbtMap[],
  second: readonly Readonly<Record<string, string | Uint8Array>>[],
): void {
  expectSame(
    maps.length === second.length &&
      maps.every((map, index) => {
        const fields = second[index] ?? {}
        return (
          Object.keys(fields).length === map.length &&
          map.every(({ key, value }) => isSameValue(value, fields[toHex(key)]))
        )
      }),
  )
}

function isSameValue(value: Uint8Array, second: string | Uint8Array | undefined): boolean {
  return second instanceof Uint8Array && equalBytes(value, second)
}

type LibraryOutput = { readonly amount: bigint; readonly script: Uint8Array }
type LibraryTransaction = {
  readonly version: number
  readonly inputs: readonly {
    readonly txid: Uint8Array
    readonly index: number
    readonly finalScriptSig: Uint8Array
    readonly sequence: number
  }[]
  readonly outputs: readonly LibraryOutput[]
  readonly lockTime: number
}

function isSameTransaction(first: WireTransaction, second: LibraryTransaction): boolean {
  return (
    first.version === second.version >>> 0 &&
    first.locktime === second.lockTime &&
    first.inputs.length === second.inputs.length &&
    first.outputs.length === second.outputs.length &&
    first.inputs.every((input, index) => isSameInput(input, second.inputs[index])) &&
    first.outputs.every((output, index) => isSameOutput(output, second.outputs[index]))
  )
}

function isSameInput(a: WireInput, b: LibraryTransaction['inputs'][number] | undefined): boolean {
  return (
    b !== undefined &&
    // The library reverses an id into the order in which it is shown.
    asBuffer(b.txid.toReversed()).equals(a.previousId) &&
    a.vout === b.index &&
    a.sequence === b.sequence &&
    equalBytes(a.scriptSig, b.finalScriptSig)
  )
}

function isSameOutput(a: WireOutput, b: LibraryOutput | undefined): boolean {
  return b !== undefined && a.value === b.amount && equalBytes(a.script, b.script)
}

function expectSame(isSame: boolean): void {
  if (!isSame) throw unreadableTransaction({ what: 'two readers of PSBTs read it differently' })
}

function read<T>(withLibrary: () => T): T {
  try {
    return withLibrary()
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.slice(0, REASON_CHARACTERS_MAX) : 'it gives no reason'
    throw unreadableTransaction({ what: `the second of two readers refuses the PSBT: ${reason}` })
  }
}

const REASON_CHARACTERS_MAX = 120
