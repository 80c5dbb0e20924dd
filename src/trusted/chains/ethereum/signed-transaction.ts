import { concat } from '../../base/bytes.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import { encodeRlp, type RlpItem, rlpInteger } from './rlp.ts'
import { parityOf, signatureItems } from './transaction-bytes.ts'
import type { UnsignedTransaction } from './unsigned-transaction.ts'

/** The bytes of a signed transaction, as nodes accept it. */
export function signedTransaction(
  { type, chainId, fields }: UnsignedTransaction,
  signature: ResourceSignature,
): Uint8Array {
  const [yParity, r, s] = signatureItems(signature)
  if (type === 'LEGACY') return encodeRlp([...fields, legacyV(chainId, signature.v), r, s])
  return concat(Uint8Array.of(TYPE_BYTES[type]), encodeRlp([...fields, yParity, r, s]))
}

/** EIP-155; 27 and 28 where there is no chain id. */
function legacyV(chainId: bigint | undefined, v: ResourceSignature['v']): RlpItem {
  return rlpInteger((chainId === undefined ? 27n : chainId * 2n + 35n) + parityOf(v))
}

const TYPE_BYTES = { TYPE_1: 1, TYPE_2: 2, TYPE_3: 3, TYPE_4: 4 } as const
