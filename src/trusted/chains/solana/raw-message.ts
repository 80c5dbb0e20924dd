import { finished, type Steps } from '../../base/work.ts'
import type { ContractInterface, SeenFields } from '../transaction.ts'
import { messageInBytes } from './message-in-bytes.ts'
import { seenTransaction } from './seen-transaction.ts'

/**
 * The facts of raw bytes that are the message of a transaction, whose signature would sign the transaction: the same
 * facts as of that transaction. Undefined when the bytes are not a message from first to last, or a message that
 * validators refuse in every state of the chain.
 *
 * @throws Failure `invalidTransaction` for a message that `readSolanaTransaction` refuses and a validator may accept,
 *         and `unreadableTransaction` for one that is too long (the limit of the chain is changing). Neither must be
 *         signed as raw bytes
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
  const message = messageInBytes(bytes)
  if (message === undefined) return undefined
  return { solana: { tx: yield* seenTransaction(message, interfaces) } }
}
