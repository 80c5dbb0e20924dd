import { toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import type { Steps } from '../../base/work.ts'
import { invalidTransaction } from '../failures.ts'
import type { NamedSigner, ReadTransaction, SeenFields } from '../transaction.ts'
import { authorizationIn } from './eip7702.ts'
import { type FieldKinds, fieldsAreOf } from './field-kinds.ts'
import { seenAuthorization } from './seen-authorization.ts'
import { ethereumTransactionSteps } from './transaction.ts'

/**
 * What policies see of raw bytes that are an unsigned transaction or an authorization. The first byte says what the rest
 * would be (EIP-2718, EIP-7702); most other bytes are passed over by it.
 *
 * @throws Failure for bytes that nodes may take for a transaction and that are not read here
 */
export function* rawTransactionSteps(bytes: Uint8Array, signer: NamedSigner): Steps<SeenFields | undefined> {
  const [first = 0] = bytes
  if (first === AUTHORIZATION) {
    const authorization = authorizationIn(bytes)
    return authorization && { eth: { eip_7702_authorization: seenAuthorization(authorization) } }
  }
  const kinds = FIELDS.get(first)
  if (first < LEGACY && kinds === undefined) return undefined
  return yield* seenOrRefused(
    ethereumTransactionSteps(toHex(bytes), signer, signer.interfaces),
    kinds === undefined
      ? (refusal) => refusal.kind === invalidTransaction.kind
      : () => fieldsAreOf(bytes, kinds),
  )
}

/**
 * What is seen of a transaction, or nothing where the bytes are none. What is refused as a transaction must not be signed under
 * the name of raw bytes either: then the refusal is thrown.
 */
export function* seenOrRefused(
  reading: Steps<ReadTransaction>,
  isTransaction: (refusal: Failure) => boolean,
): Steps<SeenFields | undefined> {
  try {
    return (yield* reading).seen
  } catch (error) {
    if (!(error instanceof Failure) || isTransaction(error)) throw error
    return undefined
  }
}

const LEGACY = 0xc0
const AUTHORIZATION = 0x05
/** Under the signature of each type. */
const FIELDS: ReadonlyMap<number, readonly FieldKinds[]> = new Map([
  [1, ['nnnnanbl']],
  [2, ['nnnnnanbl']],
  [3, ['nnnnnanblnl']],
  [4, ['nnnnnanbll']],
])
