import { Failure } from '../../base/failure.ts'
import { invalidTransaction } from '../failures.ts'
import { decodeMessage, type Message } from './message.ts'
import { expectValidMessage } from './valid-message.ts'

/**
 * The transaction message that these bytes are, from first to last; undefined for other bytes, and for a message that
 * no validator accepts.
 *
 * @throws Failure `unreadableTransaction` for one that is too long
 */
export function messageInBytes(bytes: Uint8Array): Message | undefined {
  const message = messageIn(bytes)
  return message !== undefined && isTaken(message, bytes.length) ? message : undefined
}

/** A header, one key, a blockhash and no instruction. Digests are shorter, so they cost no further work. */
const MESSAGE_BYTES_MIN = 3 + 1 + 32 + 32 + 1

function isTaken(message: Message, length: number): boolean {
  try {
    expectValidMessage(message, length)
    return true
  } catch (error) {
    if (error instanceof Failure && error.kind === invalidTransaction.kind) return false
    throw error
  }
}

function messageIn(bytes: Uint8Array): Message | undefined {
  if (bytes.length < MESSAGE_BYTES_MIN) return undefined
  try {
    return decodeMessage(bytes)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
