import type { Token } from './known-tokens.ts'

/** Addresses are in the letter case of EIP-55, which a test checks, so it finds a wrong digit. */
export const EVM_TOKENS: readonly Token[] = [
  ['1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDC', 6],
  ['1', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'USDT', 6],
  ['1', '0x6B175474E89094C44Da98b954EedeAC495271d0F', 'DAI', 18],
  ['1', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'WETH', 18],
  ['8453', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USDC', 6],
  ['42161', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USDC', 6],
  ['137', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USDC', 6],
  ['10', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 'USDC', 6],
]
