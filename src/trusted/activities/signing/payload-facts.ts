import type { SeenFields } from '../../chains/transaction.ts'
import { bool, type Facts, struct, type Vocabulary } from '../../policy/types.ts'
import { transactionNamespace } from './transaction-namespace.ts'

/** What policies may name of a raw payload. */
export const payloadNamespace: Vocabulary = {
  ...transactionNamespace,
  payload: struct({
    /** Whether the bytes show nothing: they are no transaction, typed data or authorization, or a digest. */
    opaque: bool,
  }),
}

/**
 * What is shown of bytes for Bitcoin is never the whole transaction, so that such bytes count as opaque all the same.
 *
 * @param seen  as `seenInPayload` has it
 */
export function payloadFacts(seen: SeenFields | undefined): Facts {
  return { ...seen, payload: { opaque: seen === undefined || 'bitcoin' in seen } }
}
