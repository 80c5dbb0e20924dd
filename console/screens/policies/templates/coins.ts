/** A coin of a chain that reads the transactions of Ethereum, as policies see payments in it. */
export type Coin = {
  /** The name that `claviger agent create --chain` has for its chain. */
  readonly chain: string
  /** Unit and chain. */
  readonly title: string
  readonly chainId: number
  /** The most that a payment may offer for a unit of gas. */
  readonly gweiPerGas: number
}

export const COINS: readonly Coin[] = [
  { chain: 'ethereum', title: 'ETH, Ethereum', chainId: 1, gweiPerGas: 200 },
  { chain: 'base', title: 'ETH, Base', chainId: 8453, gweiPerGas: 50 },
  { chain: 'optimism', title: 'ETH, Optimism', chainId: 10, gweiPerGas: 50 },
  { chain: 'arbitrum', title: 'ETH, Arbitrum One', chainId: 42_161, gweiPerGas: 50 },
  { chain: 'polygon', title: 'POL, Polygon', chainId: 137, gweiPerGas: 5_000 },
  { chain: 'sepolia', title: 'ETH, Sepolia', chainId: 11_155_111, gweiPerGas: 200 },
  { chain: 'base-sepolia', title: 'ETH, Base Sepolia', chainId: 84_532, gweiPerGas: 50 },
]

/** Digits of a coin after the point; the smallest unit is the wei. */
export const DECIMALS = 18

const GWEI = 10n ** 9n
// A plain payment takes 21,000; the account of a contract that is paid takes some more.
const GAS_OF_A_PAYMENT = 100_000n

/**
 * What is true of a plain payment in this coin, and of no other transaction: no contract is called or made (so that no
 * token moves), no blobs, no delegation (EIP-7702), and a bounded fee. `claviger agent create` writes the same
 * (`src/host/cli/agent/payment-chains.ts`).
 */
export function isPayment({ chainId, gweiPerGas }: Coin): readonly string[] {
  return [
    `eth.tx.chain_id == ${chainId}`,
    "eth.tx.type in ['LEGACY', 'TYPE_1', 'TYPE_2']",
    "eth.tx.to != ''",
    "eth.tx.data == '0x'",
    `eth.tx.gas <= ${GAS_OF_A_PAYMENT}`,
    `eth.tx.gas_price <= ${BigInt(gweiPerGas) * GWEI}`,
  ]
}

/**
 * The most gas in a day beside payments of so much: fees come to no more than the payments, or to those of ten
 * payments.
 */
export function gasOfADay({ gweiPerGas }: Coin, wei: bigint): bigint {
  const gas = wei / (BigInt(gweiPerGas) * GWEI)
  return gas > GAS_AT_LEAST ? gas : GAS_AT_LEAST
}

const GAS_AT_LEAST = 10n * 21_000n
