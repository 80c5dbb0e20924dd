import { chains } from '../../chains/list.ts'
import type { SeenFields } from '../../chains/transaction.ts'
import { bool, type Facts, struct, type Vocabulary } from '../../policy/types.ts'
import { signedNamespace } from './transaction-namespace.ts'

/** What policies may name of a raw payload. */
export const payloadNamespace: Vocabulary = {
  ...signedNamespace,
  payload: struct({
    /** Whether the bytes show nothing: they are no transaction, typed data or authorization, or a digest. */
    opaque: bool,
  }),
}

/**
 * Bytes of a chain that shows a part of the transaction only (Bitcoin) count as opaque all the same.
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
