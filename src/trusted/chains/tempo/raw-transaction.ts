import { toHex } from '../../base/bytes.ts'
import type { Steps } from '../../base/work.ts'
import { type FieldKinds, fieldsAreOf } from '../ethereum/field-kinds.ts'
import { seenOrRefused } from '../ethereum/raw-transaction.ts'
import type { NamedSigner, SeenFields } from '../transaction.ts'
import { tempoTransactionSteps } from './transaction.ts'
import { TEMPO_TYPE } from './unsigned-transaction.ts'

/**
 * The facts of raw bytes that are an unsigned Tempo transaction.
 *
 * @throws Failure for bytes that nodes may accept as one and that are refused here
 */
export function* rawTempoSteps(bytes: Uint8Array, signer: NamedSigner): Steps<SeenFields | undefined> {
  if (bytes[0] !== TEMPO_TYPE) return undefined
  return yield* seenOrRefused(tempoTransactionSteps(toHex(bytes), signer), () => fieldsAreOf(bytes, FIELDS))
}

/** The fields under the signature; the second form has an access key. */
const FIELDS: readonly FieldKinds[] = ['nnnnllnnnna?l', 'nnnnllnnnna?l?']
