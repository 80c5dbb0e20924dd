import { Failure } from '../base/failure.ts'
import { finished, type Steps } from '../base/work.ts'
import { bitcoinPreimageSteps } from './bitcoin/read-bitcoin-preimage.ts'
import { invalidTransaction } from './failures.ts'
import { authorizationIn, parseAuthorization } from './ethereum/eip7702.ts'
import { parseTypedData, type TypedData } from './ethereum/eip712.ts'
import { seenAuthorization } from './ethereum/seen-authorization.ts'
import { seenTypedData } from './ethereum/seen-typed-data.ts'
import { readRlp } from './ethereum/read-rlp.ts'
import type { RlpItem } from './ethereum/rlp.ts'
import { ethereumTransactionSteps } from './ethereum/transaction.ts'
import { type RawPayload, rawBytes } from './payload.ts'
import { solanaMessageSteps } from './solana/raw-message.ts'
import { tempoTransactionSteps } from './tempo/transaction.ts'
import type { ContractInterface, SeenFields, TransactionSigner } from './transaction.ts'
import { isLikeTron, isLooselyTron, seeTronTransaction } from './tron/read-tron-transaction.ts'
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
  return finished(seenInPayloadSteps(raw, signer))
}

/** The same in steps. */
export function* seenInPayloadSteps(raw: RawPayload, signer: PayloadSigner): Steps<SeenFields | undefined> {
  switch (raw.encoding) {
    case 'PAYLOAD_ENCODING_EIP712':
      return seenInTypedData(parseTypedData(raw.payload))
    case 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION':
      return { eth: { eip_7702_authorization: seenAuthorization(parseAuthorization(raw.payload)) } }
    default:
      return yield* seenInBytes(rawBytes(raw), raw, signer)
  }
}

export function seenInTypedData(data: TypedData): SeenFields {
  return { eth: { eip_712: seenTypedData(data) } }
}

function* seenInBytes(
  bytes: Uint8Array,
  { hashFunction }: RawPayload,
  signer: PayloadSigner,
): Steps<SeenFields | undefined> {
  switch (hashFunction) {
    case 'HASH_FUNCTION_KECCAK256':
      return signer.curve === 'CURVE_SECP256K1' ? yield* seenInEthereum(bytes, signer) : undefined
    case 'HASH_FUNCTION_SHA256':
      if (signer.curve !== 'CURVE_SECP256K1') return undefined
      return seenInTron(bytes) ?? (yield* bitcoinPreimageSteps(bytes, signer.signWith))
    case 'HASH_FUNCTION_NOT_APPLICABLE':
      return yield* solanaMessageSteps(bytes, signer.interfaces)
    case 'HASH_FUNCTION_NO_OP':
      return undefined
  }
}

/** The first byte says what the rest would be (EIP-2718, EIP-7702); most other bytes are passed over by it. */
function* seenInEthereum(bytes: Uint8Array, signer: PayloadSigner): Steps<SeenFields | undefined> {
  const [first = 0] = bytes
  if (first === AUTHORIZATION) {
    const authorization = authorizationIn(bytes)
    return authorization && { eth: { eip_7702_authorization: seenAuthorization(authorization) } }
  }
  if (first < LEGACY && !FIELDS.has(first)) return undefined
  const hex = toHex(bytes)
  try {
    const reading =
      first === TEMPO
        ? tempoTransactionSteps(hex, signer)
        : ethereumTransactionSteps(hex, signer, signer.interfaces)
    return (yield* reading).seen
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const isOne = first < LEGACY ? isOfItsType(bytes) : error.kind === invalidTransaction.kind
    if (!isOne) return undefined
    // What is refused as a transaction must not be signed under the name of raw bytes either.
    throw error
  }
}

/**
 * Whether bytes are the fields of their type: as many, and each a number, an address, bytes or a list. They are then that
 * transaction, whatever is wrong with one: nodes take some that are refused here, such as one with an authorization that cannot
 * be valid and is passed over.
 */
function isOfItsType(bytes: Uint8Array): boolean {
  const forms = FIELDS.get(bytes[0] ?? 0) ?? []
  try {
    const fields = readRlp(bytes.subarray(1))
    return !(fields instanceof Uint8Array) && forms.some((form) => areOfForm(fields, form))
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

function areOfForm(fields: readonly RlpItem[], form: string): boolean {
  return form.length === fields.length && fields.every((field, at) => isOfKind(field, form[at]))
}

function isOfKind(field: RlpItem, kind: string | undefined): boolean {
  if (kind === ANY) return true
  if (!(field instanceof Uint8Array)) return kind === LIST
  if (kind === NUMBER) return field.length <= 32 && field[0] !== 0
  return kind === ADDRESS ? field.length === 0 || field.length === 20 : kind === BYTES
}

/** What is no transaction to a node signs under the rules for raw bytes, however much of one it looks like. */
function seenInTron(bytes: Uint8Array): SeenFields | undefined {
  try {
    if (isLikeTron(bytes)) return seeTronTransaction(bytes)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.kind === invalidTransaction.kind && isLooselyTron(bytes)) throw error
  }
  if (isLooselyTron(bytes)) throw invalidTransaction({ what: 'raw_data is not in its canonical encoding' })
  return undefined
}

const LEGACY = 0xc0
const AUTHORIZATION = 0x05
const TEMPO = 0x76
const NUMBER = 'n'
const ADDRESS = 'a'
const BYTES = 'b'
const LIST = 'l'
const ANY = '?'
/** The kinds of the fields under the signature of a type; of Tempo also with an access key. */
const FIELDS: ReadonlyMap<number, readonly string[]> = new Map([
  [1, ['nnnnanbl']],
  [2, ['nnnnnanbl']],
  [3, ['nnnnnanblnl']],
  [4, ['nnnnnanbll']],
  [TEMPO, ['nnnnllnnnna?l', 'nnnnllnnnna?l?']],
])
