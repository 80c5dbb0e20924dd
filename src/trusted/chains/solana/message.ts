import { unsupportedTransactionType } from '../failures.ts'
import { WireReader } from './wire-reader.ts'

/** A message as it is written, legacy or of version 0. All bytes are views of the input. */
export type Message = {
  readonly version: 'legacy' | 0
  readonly requiredSignatures: number
  /** The numbers of read-only keys: the last ones of the required signers, and the last ones of the other keys. */
  readonly readonlySigned: number
  readonly readonlyUnsigned: number
  /** 32 bytes each; the signers first, and the first of them pays the fee. */
  readonly accountKeys: readonly Uint8Array[]
  /** 32 bytes. */
  readonly recentBlockhash: Uint8Array
  readonly instructions: readonly CompiledInstruction[]
  /** None in a legacy message. */
  readonly lookups: readonly TableLookup[]
}

/** Indexes count the account keys, then the accounts from lookups: first all writable ones, then all read-only ones. */
export type CompiledInstruction = {
  readonly programIndex: number
  readonly accountIndexes: Uint8Array
  readonly data: Uint8Array
}

export type TableLookup = {
  /** 32 bytes. */
  readonly tableKey: Uint8Array
  readonly writableIndexes: Uint8Array
  readonly readonlyIndexes: Uint8Array
}

/**
 * Reads a message to its last byte; `expectValidMessage` validates it.
 *
 * @throws Failure `unreadableTransaction`; `unsupportedTransactionType` for another version
 * @see    Solana documentation, "Transactions", and `VersionedMessage` of solana-message
 */
export function decodeMessage(bytes: Uint8Array): Message {
  const reader = new WireReader(bytes)
  const first = reader.byte('the header')
  const version = versionOf(first)
  const message = {
    version,
    requiredSignatures: version === 'legacy' ? first : reader.byte('the header'),
    readonlySigned: reader.byte('the header'),
    readonlyUnsigned: reader.byte('the header'),
    accountKeys: several(reader, 'account keys', key),
    recentBlockhash: reader.take(KEY_BYTES, 'the recent blockhash'),
    instructions: several(reader, 'instructions', instruction),
    lookups: version === 'legacy' ? [] : several(reader, 'address table lookups', lookup),
  }
  reader.expectEnd()
  return message
}

const VERSION_BIT = 0x80
const KEY_BYTES = 32

/** A first byte with its highest bit set is a version; otherwise it is the first of a legacy header. */
function versionOf(first: number): Message['version'] {
  if (first < VERSION_BIT) return 'legacy'
  if (first === VERSION_BIT) return 0
  throw unsupportedTransactionType({ what: `version ${first - VERSION_BIT} of Solana's messages` })
}

function several<T>(reader: WireReader, what: string, read: (reader: WireReader) => T): T[] {
  const count = reader.compactLength(what)
  const items: T[] = []
  // Each item takes bytes, so a count that is too high ends with the input.
  for (let at = 0; at < count; at++) items.push(read(reader))
  return items
}

function key(reader: WireReader): Uint8Array {
  return reader.take(KEY_BYTES, 'account keys')
}

function instruction(reader: WireReader): CompiledInstruction {
  return {
    programIndex: reader.byte('instructions'),
    accountIndexes: counted(reader, 'accounts of an instruction'),
    data: counted(reader, 'data bytes of an instruction'),
  }
}

function lookup(reader: WireReader): TableLookup {
  return {
    tableKey: reader.take(KEY_BYTES, 'address table lookups'),
    writableIndexes: counted(reader, 'writable indexes of an address table lookup'),
    readonlyIndexes: counted(reader, 'read-only indexes of an address table lookup'),
  }
}

function counted(reader: WireReader, what: string): Uint8Array {
  return reader.take(reader.compactLength(what), what)
}
