import { Failure } from '../base/failure.ts'
import { readBitcoinPreimage } from './bitcoin/read-bitcoin-preimage.ts'
import { invalidTransaction } from './failures.ts'
import { authorizationIn, parseAuthorization } from './ethereum/eip7702.ts'
import { parseTypedData } from './ethereum/eip712.ts'
import { seenAuthorization } from './ethereum/seen-authorization.ts'
import { seenTypedData } from './ethereum/seen-typed-data.ts'
import { readEthereumTransaction } from './ethereum/transaction.ts'
import { type RawPayload, rawBytes } from './payload.ts'
import { readSolanaMessage } from './solana/raw-message.ts'
import { readTempoTransaction } from './tempo/transaction.ts'
import type { ContractInterface, SeenFields, TransactionSigner } from './transaction.ts'
import { isLikeTron, seeTronTransaction } from './tron/read-tron-transaction.ts'
import { toHex } from '../base/bytes.ts'

export type PayloadSigner = TransactionSigner & {
  /** The id or address that the signer was named by. */
  readonly signWith: string
  readonly interfaces: readonly ContractInterface[]
}

/**
 * What policies see in a raw payload. Bytes that a chain would take for a transaction once they are hashed and signed are
 * shown as that transaction, so that a policy about contents holds whichever way they come. A digest shows nothing.
 *
 * @returns  undefined where there is nothing to see
 */
export function seenInPayload(raw: RawPayload, signer: PayloadSigner): SeenFields | undefined {
  switch (raw.encoding) {
    case 'PAYLOAD_ENCODING_EIP712':
      return { eth: { eip_712: seenTypedData(parseTypedData(raw.payload)) } }
    case 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION':
      return { eth: { eip_7702_authorization: seenAuthorization(parseAuthorization(raw.payload)) } }
    default:
      return seenInBytes(rawBytes(raw), raw, signer)
  }
}

function seenInBytes(bytes: Uint8Array, { hashFunction }: RawPayload, signer: PayloadSigner) {
  switch (hashFunction) {
    case 'HASH_FUNCTION_KECCAK256':
      return signer.curve === 'CURVE_SECP256K1' ? seenInEthereum(bytes, signer) : undefined
    case 'HASH_FUNCTION_SHA256':
      if (signer.curve !== 'CURVE_SECP256K1') return undefined
      return seenInTron(bytes) ?? readBitcoinPreimage(bytes, signer.signWith)
    case 'HASH_FUNCTION_NOT_APPLICABLE':
      return readSolanaMessage(bytes, signer.interfaces)
    case 'HASH_FUNCTION_NO_OP':
      return undefined
  }
}

/** The first byte says what the rest would be (EIP-2718, EIP-7702); most other bytes are passed over by it. */
function seenInEthereum(bytes: Uint8Array, signer: PayloadSigner): SeenFields | undefined {
  const [first = 0] = bytes
  if (first === AUTHORIZATION) {
    const authorization = authorizationIn(bytes)
    return authorization && { eth: { eip_7702_authorization: seenAuthorization(authorization) } }
  }
  if (first === TEMPO) return seenUnlessUnreadable(() => readTempoTransaction(toHex(bytes), signer).seen)
  if (first < LEGACY && !TYPES.includes(first)) return undefined
  return seenUnlessUnreadable(() => readEthereumTransaction(toHex(bytes), signer, signer.interfaces).seen)
}

function seenInTron(bytes: Uint8Array): SeenFields | undefined {
  return isLikeTron(bytes) ? seenUnlessUnreadable(() => seeTronTransaction(bytes)) : undefined
}

const LEGACY = 0xc0
const TYPES = [1, 2, 3, 4]
const AUTHORIZATION = 0x05
const TEMPO = 0x76

/**
 * Bytes that are no transaction show nothing. Those that are one which is refused as such must not be signed under the name of
 * raw bytes either.
 */
function seenUnlessUnreadable(see: () => SeenFields): SeenFields | undefined {
  try {
    return see()
  } catch (error) {
    if (error instanceof Failure && error.kind !== invalidTransaction.kind) return undefined
    throw error
  }
}
