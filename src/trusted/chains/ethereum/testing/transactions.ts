import { present } from '../../../base/assert.ts'
import { concat, fromHex, toHex } from '../../../base/bytes.ts'
import { curves } from '../../../crypto/curves.ts'
import type { ReadTransaction, SeenFields, SeenValue, TransactionSigner } from '../../transaction.ts'
import { encodeRlp, type RlpItem, rlpInteger } from '../rlp.ts'

/** The published key of the known answers. */
export const SECRET = bytesOf('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

export const A = bytesOf('5fbdb2315678afecb367f032d93f642f64180aa3')

export function signer(secret: Uint8Array): TransactionSigner {
  return { curve: 'CURVE_SECP256K1', publicKey: curves.CURVE_SECP256K1.publicKeyOf(secret) }
}

export function signWith(read: ReadTransaction, secret: Uint8Array): string {
  const { signAll } = curves.CURVE_SECP256K1.signer(secret)
  return read.signed(signAll(read.toSign.map(({ bytes }) => bytes)))
}

/** The defined fields under `tx` of the only keyword. */
export function seen(read: ReadTransaction): SeenFields {
  const [namespace] = Object.values(read.seen)
  const tx = present(isFields(namespace) ? namespace['tx'] : undefined, 'tx')
  return Object.fromEntries(Object.entries(tx).filter(([, value]) => value !== undefined))
}

function isFields(value: SeenValue | undefined): value is SeenFields {
  return typeof value === 'object' && !Array.isArray(value)
}

/** The bytes of a transaction of a type, 0 for legacy, with these fields. */
export function raw(type: number, fields: readonly RlpItem[]): string {
  const list = encodeRlp(fields)
  return toHex(type === 0 ? list : concat(Uint8Array.of(type), list))
}

export function int(value: number | bigint): Uint8Array {
  return rlpInteger(BigInt(value))
}

/** An ordinary transaction of a type, with some of its fields exchanged. */
export function tx(type: 0 | 1 | 2 | 3 | 4, changes: { readonly [field: string]: RlpItem } = {}): string {
  return raw(type, fieldsOf(type, changes))
}

export function fieldsOf(
  type: 0 | 1 | 2 | 3 | 4,
  changes: { readonly [field: string]: RlpItem } = {},
): readonly RlpItem[] {
  return names[type].map((name) => changes[name] ?? present(ordinary[name], name))
}

export function bytesOf(hex: string): Uint8Array {
  return present(fromHex(hex.replace(/^0x/, '')), 'hexadecimal')
}

const feeMarket = [
  'chainId',
  'nonce',
  'maxPriorityFee',
  'maxFee',
  'gas',
  'to',
  'value',
  'data',
  'accessList',
] as const

const names = {
  0: ['nonce', 'gasPrice', 'gas', 'to', 'value', 'data', 'chainId', 'r', 's'],
  1: ['chainId', 'nonce', 'gasPrice', 'gas', 'to', 'value', 'data', 'accessList'],
  2: feeMarket,
  3: [...feeMarket, 'maxFeePerBlobGas', 'blobHashes'],
  4: [...feeMarket, 'authorizations'],
} as const

const nothing = new Uint8Array()
export const authorization: readonly RlpItem[] = [int(1), A, int(7), int(1), int(123), int(456)]

const ordinary: { readonly [field: string]: RlpItem } = {
  chainId: int(1),
  nonce: int(4),
  gasPrice: int(2000),
  maxPriorityFee: int(100),
  maxFee: int(2000),
  gas: int(21_000),
  to: A,
  value: int(1000),
  data: bytesOf('a9059cbb'),
  accessList: [[A, [new Uint8Array(32)]]],
  maxFeePerBlobGas: int(3000),
  blobHashes: [concat(Uint8Array.of(1), new Uint8Array(31).fill(0xab))],
  authorizations: [authorization],
  r: nothing,
  s: nothing,
}
