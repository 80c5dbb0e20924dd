import { toHex } from '../../../trusted/base/bytes.ts'
import { caseless } from '../../../trusted/base/caseless.ts'
import type { TypedData } from '../../../trusted/chains/ethereum/eip712.ts'
import { encodeType } from '../../../trusted/chains/ethereum/eip712-digest.ts'
import type { TypedValue } from '../../../trusted/chains/ethereum/eip712-values.ts'
import type { SeenFields, SeenValue } from '../../../trusted/chains/transaction.ts'
import type { Reading } from '../fact.ts'
import { evmAddressText } from './evm-address.ts'
import { readSafeCall } from './evm-call.ts'
import { everyNetwork, networkOf } from './evm-networks.ts'
import { EVM_TOKENS } from './evm-tokens.ts'

/**
 * The effect of a signature by an owner of a Safe: with enough of them, anybody may have the Safe do it. A Safe hashes
 * one type and no other, so other messages of that name have no effect there.
 */
export function safeWords({ types, primaryType, domain, message }: TypedData): Reading | undefined {
  const contract = domain.fields.get('verifyingContract')
  if (primaryType !== 'SafeTx' || contract?.kind !== 'address') return undefined
  if (encodeType(primaryType, types) !== SAFE_TYPE) return undefined
  const chainId = domain.fields.get('chainId')
  const id = chainId?.kind === 'integer' ? chainId.integer : undefined
  return readSafeCall(argumentsOf(message.fields), {
    network: String(id ?? ''),
    tokens: EVM_TOKENS,
    contract: evmAddressText(toHex(contract.address)),
    value: 0n,
    coin: (id === undefined ? everyNetwork : networkOf(id)).coin,
    data: new Uint8Array(),
    addressText: evmAddressText,
  })
}

const SAFE_TYPE =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,' +
  'address gasToken,address refundReceiver,uint256 nonce)'

/** As the reader of calls has the arguments of `execTransaction`. */
function argumentsOf(fields: ReadonlyMap<string, TypedValue>): SeenFields {
  return Object.fromEntries([...fields].map(([name, value]) => [name, argumentOf(value)]))
}

function argumentOf(value: TypedValue): SeenValue | undefined {
  switch (value.kind) {
    case 'integer':
      return value.integer
    case 'address':
      return caseless(`0x${toHex(value.address)}`)
    case 'bytes':
      return `0x${toHex(value.bytes)}`
    default:
      return undefined
  }
}
