import { Failure } from '../../base/failure.ts'
import { finished, type Steps } from '../../base/work.ts'
import { invalidTransaction } from '../failures.ts'
import type { ContractInterface, SeenFields } from '../transaction.ts'
import { decodeMessage, type Message } from './message.ts'
import { seenTransaction } from './seen-transaction.ts'
import { expectValidMessage } from './valid-message.ts'

/**
 * What policies see of raw bytes that are the message of a transaction, and so would be its signature when signed:
 * the same as of that transaction. Undefined when the bytes are not a message from first to last, or one that no validator
 * takes, whatever the state of the chain.
 *
 * @throws Failure `invalidTransaction` for a message that `readSolanaTransaction` refuses and a validator may take, and
 *         `unreadableTransaction` for one that is too long: how long one may be is changing. Neither must be signed under the
 *         name of raw bytes
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
  if (message === undefined || !isTaken(message, bytes.length)) return undefined
  return { solana: { tx: yield* seenTransaction(message, interfaces) } }
}

/** A header, one key, a blockhash and no instruction. Digests are shorter, and are passed over without further work. */
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
