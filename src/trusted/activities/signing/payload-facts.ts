import { chains } from '../../chains/list.ts'
import type { SeenFields } from '../../chains/transaction.ts'
import { bool, type Facts, struct, type Vocabulary } from '../../policy/types.ts'
import { signedNamespace } from './transaction-namespace.ts'

/** The facts of a raw payload for policies. */
export const payloadNamespace: Vocabulary = {
  ...signedNamespace,
  payload: struct({
    /**
     * True where the bytes show no facts: a digest, or bytes that are not a transaction, typed data or an
     * authorization.
     */
    opaque: bool,
  }),
}

/**
 * Bytes that show only a part of the transaction (Bitcoin) count as opaque too.
 *
 * @param seen  as `seenInPayload` has it
 */
export function payloadFacts(seen: SeenFields | undefined): Facts {
  return { ...seen, payload: { opaque: seen === undefined || isPart(seen) } }
}

function isPart(seen: SeenFields): boolean {
  return SHOWN_IN_PART.some((keyword) => Object.hasOwn(seen, keyword))
}

const SHOWN_IN_PART = chains.filter(({ payload }) => payload?.shows === 'part').map(({ keyword }) => keyword)
