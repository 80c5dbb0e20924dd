import { concat } from '../../base/bytes.ts'
import { unreadableTransaction } from '../failures.ts'
import { ByteReader, writeCompactSize, writeSized, writeUint32, writeUint64 } from './byte-reader.ts'
import { doubleSha256 } from './double-sha256.ts'

/** A transaction in its wire format, without its witnesses. */
export type WireTransaction = {
  /** The four bytes as an unsigned number. */
  readonly version: number
  readonly inputs: readonly WireInput[]
  readonly outputs: readonly WireOutput[]
  readonly locktime: number
}

export type WireInput = {
  /** 32 bytes, in the order of hashing, which is the reverse of the order in which they are shown. */
  readonly previousId: Uint8Array
  readonly vout: number
  readonly scriptSig: Uint8Array
  readonly sequence: number
}

export type WireOutput = { readonly value: bigint; readonly script: Uint8Array }

/**
 * Reads a whole transaction, and nothing after it.
 *
 * @param name         name of the transaction, for failures
 * @param withWitness  whether the form of BIP-144 is read too; then a transaction without inputs is ambiguous and
 *                     refused
 * @throws Failure `unreadableTransaction`
 */
export function readWireTransaction(
  name: string,
  bytes: Uint8Array,
  withWitness: 'with witness' | 'without witness',
): WireTransaction {
  const reader = new ByteReader(name, bytes)
  const version = reader.uint32()
  const hasWitness = withWitness === 'with witness' && reader.isNext(WITNESS_MARKER)
  if (hasWitness) reader.take(WITNESS_MARKER.length)
  const inputs = several(reader, readInput)
  const outputs = several(reader, readWireOutput)
  if (hasWitness) passWitnesses(name, reader, inputs.length)
  const locktime = reader.uint32()
  reader.end()
  return { version, inputs, outputs, locktime }
}

/** @see BIP-144: without the marker, and so without witnesses; the preimage of the transaction id */
export function writeWireTransaction({ version, inputs, outputs, locktime }: WireTransaction): Uint8Array {
  return concat(
    writeUint32(version),
    writeCompactSize(inputs.length),
    ...inputs.map(writeInput),
    writeCompactSize(outputs.length),
    ...outputs.map(writeWireOutput),
    writeUint32(locktime),
  )
}

/** 32 bytes, in the order of hashing. */
export function transactionId(transaction: WireTransaction): Uint8Array {
  return doubleSha256(writeWireTransaction(transaction))
}

export function readWireOutput(reader: ByteReader): WireOutput {
  return { value: reader.uint64(), script: reader.sized() }
}

export function writeWireOutput({ value, script }: WireOutput): Uint8Array {
  return concat(writeUint64(value), writeSized(script))
}

export function writeOutpoint({ previousId, vout }: WireInput): Uint8Array {
  return concat(previousId, writeUint32(vout))
}

const WITNESS_MARKER = Uint8Array.of(0, 1)

function several<T>(reader: ByteReader, read: (reader: ByteReader) => T): readonly T[] {
  const items: T[] = []
  // A count that is too high ends at the first missing item.
  for (let left = reader.compactSize(); left > 0; left -= 1) items.push(read(reader))
  return items
}

function readInput(reader: ByteReader): WireInput {
  return {
    previousId: reader.take(32),
    vout: reader.uint32(),
    scriptSig: reader.sized(),
    sequence: reader.uint32(),
  }
}

function writeInput(input: WireInput): Uint8Array {
  return concat(writeOutpoint(input), writeSized(input.scriptSig), writeUint32(input.sequence))
}

function passWitnesses(name: string, reader: ByteReader, inputs: number): void {
  let items = 0
  for (let left = inputs; left > 0; left -= 1) items += several(reader, (witness) => witness.sized()).length
  if (items === 0) throw unreadableTransaction({ what: `${name} has the witness marker but no witnesses` })
}
