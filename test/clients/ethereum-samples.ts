import { sidecarsToVersionedHashes, type TypedDataDefinition } from 'viem'

export const SOMEONE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

export const fees = { maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
const accessList = [{ address: CONTRACT, storageKeys: [`0x${'01'.repeat(32)}`] }] as const

export const transactions = {
  legacy: {
    type: 'legacy',
    chainId: 1,
    nonce: 1,
    gasPrice: 10n ** 9n,
    gas: 21_000n,
    to: SOMEONE,
    value: 10n ** 30n,
  },
  'legacy on a chain with a large id': {
    type: 'legacy',
    chainId: 1_313_161_554,
    nonce: 1,
    gasPrice: 1n,
    gas: 21_000n,
    to: SOMEONE,
    value: 1n,
  },
  eip2930: {
    type: 'eip2930',
    chainId: 10,
    nonce: 2,
    gasPrice: 7n,
    gas: 50_000n,
    to: CONTRACT,
    data: '0xa9059cbb',
    accessList,
  },
  eip1559: {
    type: 'eip1559',
    chainId: 1,
    nonce: 3,
    ...fees,
    gas: 90_000n,
    to: CONTRACT,
    value: 5n,
    data: '0x00ff',
    accessList,
  },
  'the first of an account, for nothing': {
    type: 'eip1559',
    chainId: 8453,
    ...fees,
    gas: 21_000n,
    to: SOMEONE,
  },
  'the making of a contract': {
    type: 'eip1559',
    chainId: 1,
    nonce: 4,
    ...fees,
    gas: 900_000n,
    data: '0x60006000f3',
  },
} as const

// The blob of nothing but zeros: its commitment and its proof are the point at infinity (EIP-4844).
export const sidecar = {
  blob: `0x${'00'.repeat(131_072)}`,
  commitment: `0xc0${'00'.repeat(47)}`,
  proof: `0xc0${'00'.repeat(47)}`,
} as const
export const blobTransaction = {
  type: 'eip4844',
  chainId: 1,
  nonce: 5,
  ...fees,
  gas: 21_000n,
  to: SOMEONE,
  maxFeePerBlobGas: 10n ** 9n,
  sidecars: [sidecar],
  blobVersionedHashes: sidecarsToVersionedHashes({ sidecars: [sidecar] }),
} as const

export const order: TypedDataDefinition = {
  domain: {
    name: 'Exchange',
    version: '2',
    chainId: 1,
    verifyingContract: CONTRACT,
    salt: `0x${'0a'.repeat(32)}`,
  },
  primaryType: 'Order',
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
      { name: 'salt', type: 'bytes32' },
    ],
    Asset: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    Order: [
      { name: 'maker', type: 'address' },
      { name: 'offers', type: 'Asset[]' },
      { name: 'pair', type: 'Asset[2]' },
      { name: 'change', type: 'int128' },
      { name: 'partial', type: 'bool' },
      { name: 'kind', type: 'bytes4' },
      { name: 'extra', type: 'bytes' },
      { name: 'expires', type: 'uint64' },
      { name: 'note', type: 'string' },
      { name: 'matrix', type: 'uint8[2][]' },
    ],
  },
  message: {
    maker: SOMEONE,
    offers: [{ token: CONTRACT, amount: 2n ** 256n - 1n }],
    pair: [
      { token: CONTRACT, amount: 0n },
      { token: SOMEONE, amount: 2n ** 53n },
    ],
    change: -(2n ** 127n),
    partial: true,
    kind: '0x01020304',
    extra: '0x',
    expires: 1_900_000_000n,
    note: 'ünïcödé ✍',
    matrix: [
      [1, 2],
      [3, 255],
    ],
  },
}

export const mail: TypedDataDefinition = {
  domain: { name: 'Mail' },
  primaryType: 'Mail',
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'contents', type: 'string' }] },
  message: { contents: 'Hello' },
}
