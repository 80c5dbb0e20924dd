import { finished, type Steps } from '../../base/work.ts'
import type { ContractInterface, SeenFields } from '../transaction.ts'
import { messageInBytes } from './message-in-bytes.ts'
import { seenTransaction } from './seen-transaction.ts'

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
  const message = messageInBytes(bytes)
  if (message === undefined) return undefined
  return { solana: { tx: yield* seenTransaction(message, interfaces) } }
}
