import { costs } from '../../base/costs.ts'
import type { Units } from '../../base/work.ts'
import { invalidTransaction } from '../failures.ts'
import { GLOBAL_UNSIGNED_TX, type Psbt, type PsbtMap, type PsbtPair, writePsbt } from './psbt.ts'
import { PSBT_IN } from './spent-output.ts'
import { writeWireTransaction } from './wire-transaction.ts'

/** A PSBT with some of the fields of another, and the cost of reading it with the library. */
export type PsbtPiece = {
  readonly bytes: Uint8Array
  /** The indexes of its first inputs in the whole PSBT. */
  readonly inputs: readonly number[]
  readonly cost: Units
}

/**
 * Splits the fields of a PSBT over several smaller PSBTs, except for the unsigned and the spent transactions, which are
 * read separately. The library checks each field by itself; duplicate fields were refused before.
 *
 * @throws Failure `invalidTransaction` for a field that would take long even in a piece of its own
 */
export function* psbtPieces({ global, inputs, outputs }: Psbt): Generator<PsbtPiece, void, void> {
  let piece = new Piece()
  for (const [part, maps] of [
    ['global', [global]],
    ['inputs', inputs],
    ['outputs', outputs],
  ] as const) {
    for (const [index, map] of maps.entries()) {
      for (const pair of map) {
        if (isReadApart(part, pair)) continue
        piece.add(part, index, pair)
        if (piece.cost < PIECE_COST) continue
        yield piece.written()
        piece = new Piece()
      }
    }
  }
  if (piece.cost > 0) yield piece.written()
}

const PIECE_COST: Units = 2_000

type Part = 'global' | 'inputs' | 'outputs'

function isReadApart(part: Part, { key }: PsbtPair): boolean {
  if (part === 'outputs' || key.length !== 1) return false
  return key[0] === (part === 'global' ? GLOBAL_UNSIGNED_TX : PSBT_IN.nonWitnessUtxo)
}

class Piece {
  readonly #maps = {
    global: new Map<number, PsbtPair[]>(),
    inputs: new Map<number, PsbtPair[]>(),
    outputs: new Map<number, PsbtPair[]>(),
  }
  cost: Units = 0

  add(part: Part, index: number, pair: PsbtPair): void {
    const maps = this.#maps[part]
    const pairs = maps.get(index) ?? []
    maps.set(index, pairs)
    pairs.push(pair)
    this.cost += costOfField(part, pair)
  }

  written(): PsbtPiece {
    const { global, inputs, outputs } = this.#maps
    // One more of each: a transaction has at least one input and one output.
    const inputMaps: PsbtMap[] = [...inputs.values(), []]
    const outputMaps: PsbtMap[] = [...outputs.values(), []]
    const unsigned = writeWireTransaction({
      version: 2,
      inputs: inputMaps.map((_, vout) => ({ ...NO_INPUT, vout })),
      outputs: outputMaps.map(() => NO_OUTPUT),
      locktime: 0,
    })
    const globals = [{ key: Uint8Array.of(GLOBAL_UNSIGNED_TX), value: unsigned }, ...(global.get(0) ?? [])]
    const bytes = writePsbt({ global: globals, inputs: inputMaps, outputs: outputMaps })
    return { bytes, inputs: [...inputs.keys()], cost: this.cost }
  }
}

const NO_INPUT = { previousId: new Uint8Array(32), scriptSig: new Uint8Array(), sequence: 0 }
const NO_OUTPUT = { value: 0n, script: new Uint8Array() }

/**
 * The library checks that every public key is on its curve: keys after the type of a field twice, keys in lists once.
 */
function costOfField(part: Part, { key, value }: PsbtPair): Units {
  const isList = LISTS[part].has(key[0] ?? 0)
  if (isList && value.length > LIST_BYTES_MAX) {
    throw invalidTransaction({
      what: `a field lists keys or scripts in ${value.length} bytes, of at most ${LIST_BYTES_MAX}`,
    })
  }
  const points =
    2 * Math.floor(key.length / KEY_BYTES_MIN) + (isList ? Math.floor(value.length / KEY_BYTES_MIN) : 0)
  return costs.psbtFieldRead + points * costs.curvePoint + value.length * costs.secondReadingByte
}

/** Types of fields whose values are as many keys (BIP-373) or leaves of a tree (BIP-371) as there is room for. */
const LISTS: Readonly<Record<Part, ReadonlySet<number>>> = {
  global: new Set(),
  inputs: new Set([0x1a]),
  outputs: new Set([0x06, 0x08]),
}
// 248 keys, which take the library some thirty milliseconds at once.
const LIST_BYTES_MAX = 8_192
const KEY_BYTES_MIN = 32
