import { concat } from '../../../base/bytes.ts'
import type { Message } from '../message.ts'

/** A message with its signatures on the wire, written independently of the reader. */
export function encodeTransaction(message: Message, signatures: readonly Uint8Array[]): Uint8Array {
  return concat(array(signatures), encodeMessage(message))
}

export function encodeMessage(message: Message): Uint8Array {
  const { version, requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys } = message
  const parts = [
    version === 'legacy' ? new Uint8Array() : Uint8Array.of(0x80),
    Uint8Array.of(requiredSignatures, readonlySigned, readonlyUnsigned),
    array(accountKeys),
    message.recentBlockhash,
    array(
      message.instructions.map(({ programIndex, accountIndexes, data }) =>
        concat(Uint8Array.of(programIndex), counted(accountIndexes), counted(data)),
      ),
    ),
  ]
  if (version === 'legacy') return concat(...parts)
  const lookups = message.lookups.map(({ tableKey, writableIndexes, readonlyIndexes }) =>
    concat(tableKey, counted(writableIndexes), counted(readonlyIndexes)),
  )
  return concat(...parts, array(lookups))
}

export function compactLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  if (length < 0x4000) return Uint8Array.of((length & 0x7f) | 0x80, length >> 7)
  return Uint8Array.of((length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14)
}

function array(items: readonly Uint8Array[]): Uint8Array {
  return concat(compactLength(items.length), ...items)
}

function counted(bytes: Uint8Array): Uint8Array {
  return concat(compactLength(bytes.length), bytes)
}
