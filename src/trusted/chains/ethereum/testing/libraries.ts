import { Transaction as EthersTransaction } from 'ethers'
import { Transaction as MicroTransaction } from 'micro-eth-signer'
import { type Hex, keccak256, parseTransaction, serializeTransaction } from 'viem'

/** An unsigned transaction as a library parses it. */
export type Understood = {
  readonly type: string
  readonly chainId: bigint
  readonly nonce: bigint
  readonly gas: bigint
  readonly gasPrice: bigint
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly maxFeePerBlobGas: bigint | undefined
  /** Lower case, `0x`; empty where a contract is created. */
  readonly to: string
  readonly value: bigint
  readonly data: string
  /** The digest that the library would sign: `0x` and 64 digits. */
  readonly digest: string
}

/** Each takes `0x` and hexadecimal digits, and throws its own error for input that it cannot read. */
export const libraries: { readonly [name: string]: (hex: Hex) => Understood } = {
  ethers(hex) {
    const tx = EthersTransaction.from(hex)
    return {
      type: TYPES[tx.type ?? 0] ?? '',
      chainId: tx.chainId,
      nonce: BigInt(tx.nonce),
      gas: tx.gasLimit,
      gasPrice: tx.maxFeePerGas ?? tx.gasPrice ?? 0n,
      maxPriorityFeePerGas: tx.maxPriorityFeePerGas ?? undefined,
      maxFeePerBlobGas: tx.maxFeePerBlobGas ?? undefined,
      to: tx.to?.toLowerCase() ?? '',
      value: tx.value,
      data: tx.data,
      digest: tx.unsignedHash,
    }
  },
  viem(hex) {
    const tx = parseTransaction(hex)
    const type = NAMES.indexOf(tx.type ?? '')
    return {
      type: TYPES[type] ?? '',
      chainId: BigInt(tx.chainId ?? 0),
      nonce: BigInt(tx.nonce ?? 0),
      gas: tx.gas ?? 0n,
      gasPrice: tx.maxFeePerGas ?? tx.gasPrice ?? 0n,
      maxPriorityFeePerGas: type >= 2 ? (tx.maxPriorityFeePerGas ?? 0n) : undefined,
      maxFeePerBlobGas: type === 3 ? (tx.maxFeePerBlobGas ?? 0n) : undefined,
      to: tx.to?.replace(/^0x$/, '') ?? '',
      value: tx.value ?? 0n,
      data: tx.data ?? '0x',
      digest: keccak256(serializeTransaction(tx)),
    }
  },
  micro(hex) {
    const tx = MicroTransaction.fromHex(hex)
    const fields: { readonly [name: string]: unknown } = { ...tx.raw }
    const number = (name: string) => (typeof fields[name] === 'bigint' ? fields[name] : undefined)
    return {
      type: TYPES[NAMES.indexOf(tx.type)] ?? '',
      chainId: number('chainId') ?? 0n,
      nonce: number('nonce') ?? 0n,
      gas: number('gasLimit') ?? 0n,
      gasPrice: number('maxFeePerGas') ?? number('gasPrice') ?? 0n,
      maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
      maxFeePerBlobGas: number('maxFeePerBlobGas'),
      to: String(fields['to']).toLowerCase().replace(/^0x$/, ''),
      value: number('value') ?? 0n,
      data: String(fields['data']),
      digest: keccak256(Buffer.from(tx.toBytes({ includeSignature: false }))),
    }
  },
}

const TYPES = ['LEGACY', 'TYPE_1', 'TYPE_2', 'TYPE_3', 'TYPE_4']
const NAMES = ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702']
