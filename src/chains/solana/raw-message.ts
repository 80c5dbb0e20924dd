import { Failure } from '../../base/failure.ts'
import { finished, type Steps } from '../../base/work.ts'
import type { ContractInterface, SeenFields } from '../transaction.ts'
import { decodeMessage, type Message } from './message.ts'
import { seenTransaction } from './seen-transaction.ts'
import { expectValidMessage } from './valid-message.ts'

/**
 * What policies see of raw bytes that are the message of a transaction, and so would be its signature when signed:
 * the same as of that transaction. Undefined when the bytes are not a message from first to last.
 *
 * @throws Failure `invalidTransaction` or `unreadableTransaction` for a message that `readSolanaTransaction` refuses
 *         too: it must not be signed under the name of raw bytes
 */
export function readSolanaMessage(
  bytes: Uint8Array,
  interfaces: readonly ContractInterface[],
): SeenFields | undefined {
  return finished(solanaMessageSteps(bytes, interfaces))
}

/** The same in steps. */
export function* solanaMessageSteps(
  bytes: Uint8Array,
  interfaces: readonly ContractInterface[],
): Steps<SeenFields | undefined> {
  const message = messageIn(bytes)
  if (message === undefined) return undefined
  expectValidMessage(message, bytes.length)
  return { solana: { tx: yield* seenTransaction(message, interfaces) } }
}

/** A header, one key, a blockhash and no instruction. Digests are shorter, and are passed over without further work. */
const MESSAGE_BYTES_MIN = 3 + 1 + 32 + 32 + 1

function messageIn(bytes: Uint8Array): Message | undefined {
  if (bytes.length < MESSAGE_BYTES_MIN) return undefined
  try {
    return decodeMessage(bytes)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
