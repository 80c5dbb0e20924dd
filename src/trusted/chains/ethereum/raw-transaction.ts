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
 * The facts of raw bytes that are an unsigned transaction or an authorization. The first byte gives the type (EIP-2718,
 * EIP-7702), and rules out most other bytes.
 *
 * @throws Failure for bytes that nodes may accept as a transaction and that are refused here
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
 * The facts of a transaction, or undefined where the bytes are not one. A transaction that is refused must not be
 * signed as raw bytes either, so the refusal is thrown.
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
/** The fields under the signature, by type. */
const FIELDS: ReadonlyMap<number, readonly FieldKinds[]> = new Map([
  [1, ['nnnnanbl']],
  [2, ['nnnnnanbl']],
  [3, ['nnnnnanblnl']],
  [4, ['nnnnnanbll']],
])
