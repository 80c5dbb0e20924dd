import {
  ADDRESS_LENGTH,
  readBytes,
  readFixed,
  readList,
  readRecipient,
  readTuple,
  readUint,
  UINT64_MAX,
} from '../ethereum/fields.ts'
import { readRlp } from '../ethereum/read-rlp.ts'
import type { RlpItem } from '../ethereum/rlp.ts'
import { invalidTransaction, unreadableTransaction, unsupportedTransactionType } from '../failures.ts'

/** The content of an unsigned transaction. Times are seconds since the Unix epoch, 0 where there is no bound. */
export type UnsignedTempo = {
  readonly chainId: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly gasLimit: bigint
  /** At least one. */
  readonly calls: readonly TempoCall[]
  readonly nonce: bigint
  readonly validBefore: bigint
  readonly validAfter: bigint
  /** 20 bytes; undefined where it names none. */
  readonly feeToken: Uint8Array | undefined
  /** The 13 fields in order. */
  readonly fields: readonly RlpItem[]
}

export type TempoCall = {
  /** 20 bytes; undefined where a contract is created. */
  readonly to: Uint8Array | undefined
  readonly input: Uint8Array
}

/**
 * Reads 76 ‖ rlp([chain id, max priority fee, max fee, gas limit, calls, access list, nonce key, nonce, valid before,
 * valid after, fee token, fee payer, authorization list]).
 *
 * Policies cannot see the value of a call, the access list, nonce key, fee payer, authorizations or access key, so a
 * transaction with any of them is refused.
 *
 * @throws Failure `unreadableTransaction`, `unsupportedTransactionType`, `invalidTransaction`
 * @see    Tempo Transactions Specification, "RLP Encoding"
 */
export function readUnsignedTempo(bytes: Uint8Array): UnsignedTempo {
  if (bytes[0] !== TEMPO_TYPE) {
    throw unsupportedTransactionType({ what: 'a transaction of Tempo starts with 0x76' })
  }
  const fields = readList(readRlp(bytes.subarray(1)), 'the transaction')
  if (fields.length === 14 || fields.length === 15) {
    throw unreadableTransaction({ what: 'it carries a signature or an access key, send it without' })
  }
  const [
    chainId,
    maxPriorityFee,
    maxFee,
    gasLimit,
    calls,
    accessList,
    nonceKey,
    nonce,
    validBefore,
    validAfter,
    feeToken,
    feePayer,
    authorizationList,
  ] = readTuple(fields, FIELDS, 'the transaction')
  const isEmptyList = (item: RlpItem | undefined, at: string) => readList(item, at).length === 0
  expectUnused(isEmptyList(accessList, 'access_list'), 'access_list')
  expectUnused(isEmptyList(authorizationList, 'authorization_list'), 'authorization_list')
  expectUnused(readBytes(nonceKey, 'nonce_key').length === 0, 'nonce_key')
  expectUnused(feePayer instanceof Uint8Array && feePayer.length === 0, 'a fee payer')
  const transaction: UnsignedTempo = {
    chainId: readUint(chainId, SAFE_INTEGER_MAX, 'chain_id'),
    maxPriorityFeePerGas: readUint(maxPriorityFee, UINT128_MAX, 'max_priority_fee_per_gas'),
    maxFeePerGas: readUint(maxFee, UINT128_MAX, 'max_fee_per_gas'),
    gasLimit: readUint(gasLimit, UINT64_MAX, 'gas_limit'),
    calls: readList(calls, 'calls').map(readCall),
    nonce: readUint(nonce, SAFE_INTEGER_MAX, 'nonce'),
    validBefore: readUint(validBefore, SAFE_INTEGER_MAX, 'valid_before'),
    validAfter: readUint(validAfter, SAFE_INTEGER_MAX, 'valid_after'),
    feeToken: readRecipient(feeToken, 'fee_token'),
    fields,
  }
  checkRules(transaction)
  return transaction
}

/** `[to, value, input]`. Only the first call may create a contract. */
function readCall(item: RlpItem, index: number): TempoCall {
  const at = `calls[${index}]`
  const [to, value, input] = readTuple(item, 3, at)
  expectUnused(readBytes(value, `${at}.value`).length === 0, `${at}.value`)
  return {
    to: index === 0 ? readRecipient(to, `${at}.to`) : readFixed(to, ADDRESS_LENGTH, `${at}.to`),
    input: readBytes(input, `${at}.input`),
  }
}

function checkRules({ calls, chainId, ...transaction }: UnsignedTempo): void {
  const { maxFeePerGas, maxPriorityFeePerGas, validAfter, validBefore } = transaction
  if (calls.length === 0) throw invalidTransaction({ what: 'calls is empty' })
  if (chainId === 0n) throw invalidTransaction({ what: 'chain_id is 0' })
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw invalidTransaction({ what: 'max_priority_fee_per_gas is above max_fee_per_gas' })
  }
  if (validBefore !== 0n && validBefore <= validAfter) {
    throw invalidTransaction({ what: 'valid_before is not after valid_after' })
  }
}

function expectUnused(isUnused: boolean, what: string): void {
  if (!isUnused) throw invalidTransaction({ what: `${what} cannot be shown to policies, send it empty` })
}

export const TEMPO_TYPE = 0x76
const FIELDS = 13
const UINT128_MAX = 2n ** 128n - 1n
// Clients hold these numbers as floating point, and would misread greater ones.
const SAFE_INTEGER_MAX = 2n ** 53n - 1n
