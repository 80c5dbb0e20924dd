import type { Unit } from '../amounts.ts'

export type Token = readonly [network: string, contract: string, symbol: string, decimals: number]

/**
 * Tokens with known decimals, by network and contract. Amounts of other tokens are shown in their smallest units: the
 * bytes do not contain the decimals of a token, and a host that named them could shift the decimal point.
 *
 * @param among  tokens of the EVM are in a file of their own, since a page of Tron does not need them
 */
export function tokenUnit(network: string, contract: string, among = TOKENS): Unit | undefined {
  const known = among.find((token) => token[0] === network && token[1] === contract)
  return known && { symbol: known[2], decimals: known[3], smallest: 'smallest units' }
}

const TOKENS: readonly Token[] = [
  ['solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 6],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'USDT', 6],
]
