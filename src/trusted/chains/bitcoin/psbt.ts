import { asBuffer, concat, equalBytes, toHex } from '../../base/bytes.ts'
import { invalidTransaction, unreadableTransaction, unsupportedTransactionType } from '../failures.ts'
import { ByteReader, writeSized } from './byte-reader.ts'
import { readWireTransaction, type WireTransaction, writeWireTransaction } from './wire-transaction.ts'

/** A key begins with its type; within one map no key comes twice. */
export type PsbtPair = { readonly key: Uint8Array; readonly value: Uint8Array }
export type PsbtMap = readonly PsbtPair[]

export type Psbt = {
  readonly unsigned: WireTransaction
  /** The exact bytes of `unsigned`. */
  readonly unsignedBytes: Uint8Array
  readonly global: PsbtMap
  /** As many as the transaction has inputs. */
  readonly inputs: readonly PsbtMap[]
  readonly outputs: readonly PsbtMap[]
}

/**
 * Reads a partially signed transaction of version 0. Fields other than the unsigned transaction and the version are
 * kept as bytes here; writing what was read gives back the same bytes.
 *
 * @throws Failure `unreadableTransaction`, `unsupportedTransactionType` or `invalidTransaction`
 * @see    BIP-174
 */
export function readPsbt(bytes: Uint8Array): Psbt {
  const reader = new ByteReader('the PSBT', bytes)
  if (!reader.isNext(PSBT_MAGIC)) throw unreadableTransaction({ what: 'it is not a PSBT' })
  reader.take(PSBT_MAGIC.length)
  const global = readMap(reader, 'the global map')
  expectVersion0(global)
  const unsignedBytes = valueOf(global, GLOBAL_UNSIGNED_TX)
  if (unsignedBytes === undefined) {
    throw unreadableTransaction({ what: 'the PSBT has no unsigned transaction' })
  }
  const unsigned = readUnsigned(unsignedBytes)
  const inputs = unsigned.inputs.map((_, index) => readMap(reader, `the map of input ${index}`))
  const outputs = unsigned.outputs.map((_, index) => readMap(reader, `the map of output ${index}`))
  reader.end()
  const fields = [global, ...inputs, ...outputs].reduce((sum, map) => sum + map.length, 0)
  if (fields > FIELDS_MAX)
    throw invalidTransaction({ what: `it has ${fields} fields, of at most ${FIELDS_MAX}` })
  const psbt = { unsigned, unsignedBytes, global, inputs, outputs }
  if (!equalBytes(writePsbt(psbt), bytes)) {
    throw unreadableTransaction({ what: 'the PSBT is not in its canonical encoding' })
  }
  return psbt
}

export function writePsbt({
  global,
  inputs,
  outputs,
}: Pick<Psbt, 'global' | 'inputs' | 'outputs'>): Uint8Array {
  return concat(PSBT_MAGIC, ...[global, ...inputs, ...outputs].map(writeMap))
}

/** The first bytes of a PSBT (BIP-174). */
export const PSBT_MAGIC: Uint8Array = Buffer.from('70736274ff', 'hex')

/** The value of the field whose key is this type alone. */
export function valueOf(map: PsbtMap, type: number): Uint8Array | undefined {
  return map.find(({ key }) => key.length === 1 && key[0] === type)?.value
}

/** The map with one more pair, inserted before the first pair with a greater key, so that a sorted map stays sorted. */
export function withPair(map: PsbtMap, pair: PsbtPair): PsbtMap {
  const at = map.findIndex(({ key }) => asBuffer(key).compare(pair.key) > 0)
  return map.toSpliced(at < 0 ? map.length : at, 0, pair)
}

export const GLOBAL_UNSIGNED_TX = 0x00
const GLOBAL_VERSION = 0xfb
// The first byte of a type of several bytes; no such type is assigned.
const WIDE_TYPE = 0xfd
const INPUTS_MAX = 1_000
const OUTPUTS_MAX = 1_000
// Eight for each of a thousand inputs.
const FIELDS_MAX = 8_000

function readMap(reader: ByteReader, name: string): PsbtMap {
  const pairs: PsbtPair[] = []
  const keys = new Set<string>()
  for (let key = reader.sized(); key.length > 0; key = reader.sized()) {
    const hex = toHex(key)
    if (keys.has(hex)) throw unreadableTransaction({ what: `${name} has the key ${hex} twice` })
    if ((key[0] ?? WIDE_TYPE) >= WIDE_TYPE) {
      throw unreadableTransaction({ what: `${name} has a key of an unknown kind, ${hex}` })
    }
    keys.add(hex)
    pairs.push({ key, value: reader.sized() })
  }
  return pairs
}

function writeMap(map: PsbtMap): Uint8Array {
  return concat(...map.flatMap(({ key, value }) => [writeSized(key), writeSized(value)]), Uint8Array.of(0))
}

function expectVersion0(global: PsbtMap): void {
  const version = valueOf(global, GLOBAL_VERSION)
  if (version === undefined || equalBytes(version, new Uint8Array(4))) return
  throw unsupportedTransactionType({ what: `a PSBT of version ${toHex(version)} instead of 0` })
}

function readUnsigned(bytes: Uint8Array): WireTransaction {
  const unsigned = readWireTransaction('the unsigned transaction', bytes, 'without witness')
  const { version, inputs, outputs } = unsigned
  if (!equalBytes(writeWireTransaction(unsigned), bytes)) {
    throw unreadableTransaction({ what: 'the unsigned transaction is not in its canonical encoding' })
  }
  // The versions that nodes relay.
  if (version < 1 || version > 3) {
    throw unsupportedTransactionType({ what: `a transaction of version ${version | 0}` })
  }
  if (inputs.length === 0 || inputs.length > INPUTS_MAX) {
    throw invalidTransaction({ what: `it has ${inputs.length} inputs instead of 1 to ${INPUTS_MAX}` })
  }
  if (outputs.length === 0 || outputs.length > OUTPUTS_MAX) {
    throw invalidTransaction({ what: `it has ${outputs.length} outputs instead of 1 to ${OUTPUTS_MAX}` })
  }
  const signed = inputs.findIndex(({ scriptSig }) => scriptSig.length > 0)
  if (signed >= 0) {
    throw unreadableTransaction({ what: `input ${signed} of the unsigned transaction has a script` })
  }
  const outpoints = new Set(inputs.map(({ previousId, vout }) => `${toHex(previousId)}:${vout}`))
  if (outpoints.size < inputs.length) throw invalidTransaction({ what: 'two inputs spend the same output' })
  return unsigned
}
