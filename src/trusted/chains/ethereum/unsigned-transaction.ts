import { invalidTransaction, unreadableTransaction, unsupportedTransactionType } from '../failures.ts'
import { checkAccessList, checkAuthorizationList, checkBlobHashes } from './carried-lists.ts'
import { readBytes, readList, readRecipient, readUint, UINT64_MAX, UINT256_MAX } from './fields.ts'
import { readRlp } from './read-rlp.ts'
import type { RlpItem } from './rlp.ts'

/** The content of an unsigned transaction. */
export type UnsignedTransaction = {
  readonly type: 'LEGACY' | 'TYPE_1' | 'TYPE_2' | 'TYPE_3' | 'TYPE_4'
  /** Undefined in a legacy transaction without one (from before EIP-155), which every chain accepts. */
  readonly chainId: bigint | undefined
  readonly nonce: bigint
  readonly gas: bigint
  /** The highest price of a unit of gas: the gas price of legacy and type 1, `maxFeePerGas` of the others. */
  readonly gasPrice: bigint
  /** Types 2, 3 and 4 only. */
  readonly maxPriorityFeePerGas: bigint | undefined
  /** Type 3 only. */
  readonly maxFeePerBlobGas: bigint | undefined
  /** 20 bytes; undefined where a contract is created. */
  readonly to: Uint8Array | undefined
  readonly value: bigint
  readonly data: Uint8Array
  /** All fields in order, without the three that an unsigned legacy transaction has in place of its signature. */
  readonly fields: readonly RlpItem[]
}

/**
 * Reads legacy transactions with and without chain id (EIP-155) and those of EIP-2930, EIP-1559, EIP-4844 (the body
 * alone) and EIP-7702. A signed transaction is refused: only transactions that are signed here are returned signed.
 *
 * @throws Failure `unreadableTransaction`, `unsupportedTransactionType`, `invalidTransaction`
 */
export function readUnsignedTransaction(bytes: Uint8Array): UnsignedTransaction {
  const transaction = readForm(bytes)
  const { gas, gasPrice, maxPriorityFeePerGas } = transaction
  if (maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas > gasPrice) {
    throw invalidTransaction({ what: 'max_priority_fee_per_gas is above max_fee_per_gas' }) // EIP-1559
  }
  if (gas * gasPrice > UINT256_MAX) throw invalidTransaction({ what: 'the gas costs more than 2^256 - 1' })
  return transaction
}

function readForm(bytes: Uint8Array): UnsignedTransaction {
  const type = bytes[0] ?? 0
  if (type >= FIRST_OF_LIST) return readLegacy(readList(readRlp(bytes), 'the transaction'))
  if (type > TYPE_MAX) throw unreadableTransaction({ what: 'it starts neither with a type nor with a list' })
  const read = typed.get(type)
  if (read !== undefined) return read(readList(readRlp(bytes.subarray(1)), 'the transaction'))
  const hint = type === TEMPO ? ', which is sent as TRANSACTION_TYPE_TEMPO' : ''
  throw unsupportedTransactionType({ what: `type ${type}${hint}` })
}

/** Nine fields, the last three of them the chain id and two empty ones (EIP-155), or six. */
function readLegacy(fields: readonly RlpItem[]): UnsignedTransaction {
  const [nonce, gasPrice, gas, to, value, data, chainId, r, s] = fields
  const isBound = fields.length === 9
  if (!isBound) expectCount(fields, 6, 'a legacy transaction')
  if (isBound && (readBytes(r, 'r').length > 0 || readBytes(s, 's').length > 0)) throw alreadySigned()
  // Libraries read nine fields with a chain id of 0 as if they were six, which gives another digest.
  if (isBound && readChainId(chainId) === 0n) throw unreadableTransaction({ what: 'chain_id is 0' })
  return {
    type: 'LEGACY',
    chainId: isBound ? readChainId(chainId) : undefined,
    ...readCore({ nonce, gasPrice, gas, to, value, data }),
    maxPriorityFeePerGas: undefined,
    maxFeePerBlobGas: undefined,
    fields: fields.slice(0, 6),
  }
}

function readType1(fields: readonly RlpItem[]): UnsignedTransaction {
  expectCount(fields, 8, 'a transaction of type 1')
  const [chainId, nonce, gasPrice, gas, to, value, data, accessList] = fields
  checkAccessList(accessList, 'access_list')
  return {
    type: 'TYPE_1',
    chainId: readChainId(chainId),
    ...readCore({ nonce, gasPrice, gas, to, value, data }),
    maxPriorityFeePerGas: undefined,
    maxFeePerBlobGas: undefined,
    fields,
  }
}

function readType2(fields: readonly RlpItem[]): UnsignedTransaction {
  expectCount(fields, 9, 'a transaction of type 2')
  return { ...readFeeMarket(fields), type: 'TYPE_2' }
}

function readType3(fields: readonly RlpItem[]): UnsignedTransaction {
  if (fields[0] !== undefined && !(fields[0] instanceof Uint8Array)) {
    throw unsupportedTransactionType({ what: 'type 3 with blobs around it, send its body alone' })
  }
  expectCount(fields, 11, 'a transaction of type 3')
  const transaction = { ...readFeeMarket(fields), type: 'TYPE_3' } as const
  expectRecipient(transaction)
  checkBlobHashes(fields[10], 'blob_versioned_hashes')
  return { ...transaction, maxFeePerBlobGas: readUint(fields[9], UINT256_MAX, 'max_fee_per_blob_gas') }
}

function readType4(fields: readonly RlpItem[]): UnsignedTransaction {
  expectCount(fields, 10, 'a transaction of type 4')
  const transaction = { ...readFeeMarket(fields), type: 'TYPE_4' } as const
  expectRecipient(transaction)
  checkAuthorizationList(fields[9], 'authorization_list')
  return transaction
}

/** The nine fields of EIP-1559, with which EIP-4844 and EIP-7702 begin too. */
function readFeeMarket(fields: readonly RlpItem[]): Omit<UnsignedTransaction, 'type'> {
  const [chainId, nonce, maxPriorityFee, gasPrice, gas, to, value, data, accessList] = fields
  checkAccessList(accessList, 'access_list')
  return {
    chainId: readChainId(chainId),
    ...readCore({ nonce, gasPrice, gas, to, value, data }),
    maxPriorityFeePerGas: readUint(maxPriorityFee, UINT256_MAX, 'max_priority_fee_per_gas'),
    maxFeePerBlobGas: undefined,
    fields,
  }
}

type Core = Pick<UnsignedTransaction, 'nonce' | 'gasPrice' | 'gas' | 'to' | 'value' | 'data'>

function readCore(items: { readonly [name in keyof Core]: RlpItem | undefined }): Core {
  return {
    nonce: readUint(items.nonce, NONCE_MAX, 'nonce'),
    gasPrice: readUint(items.gasPrice, UINT256_MAX, 'the price of gas'),
    gas: readUint(items.gas, UINT64_MAX, 'gas'),
    to: readRecipient(items.to, 'to'),
    value: readUint(items.value, UINT256_MAX, 'value'),
    data: readBytes(items.data, 'data'),
  }
}

function readChainId(item: RlpItem | undefined): bigint {
  return readUint(item, UINT64_MAX, 'chain_id')
}

function expectCount(fields: readonly RlpItem[], count: number, what: string): void {
  if (fields.length === count) return
  if (fields.length === count + 3) throw alreadySigned()
  throw unreadableTransaction({ what: `${what} has ${fields.length} fields, not ${count}` })
}

function alreadySigned() {
  return unreadableTransaction({ what: 'it carries a signature, send it unsigned' })
}

/** EIP-4844, "Blob transaction", and EIP-7702, "Set code transaction": they create no contract. */
function expectRecipient({ to, type }: Pick<UnsignedTransaction, 'to' | 'type'>): void {
  if (to === undefined) throw invalidTransaction({ what: `a transaction of ${type} must have a recipient` })
}

type ReadFields = (fields: readonly RlpItem[]) => UnsignedTransaction

const typed: ReadonlyMap<number, ReadFields> = new Map([
  [1, readType1],
  [2, readType2],
  [3, readType3],
  [4, readType4],
])

// EIP-2718: a first byte of up to 7f is a type, one from c0 on is the list of a legacy transaction.
const TYPE_MAX = 0x7f
const FIRST_OF_LIST = 0xc0
const TEMPO = 0x76
const NONCE_MAX = UINT64_MAX - 1n // EIP-2681
