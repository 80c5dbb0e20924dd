/** How wallets write a private key. */
export const keyFormats = [
  ['HEXADECIMAL', '0x…'],
  ['SOLANA', 'Solana'],
  ['BITCOIN_MAINNET_WIF', 'Bitcoin WIF'],
  ['BITCOIN_TESTNET_WIF', 'Bitcoin testnet WIF'],
  ['SUI_BECH32', 'Sui'],
] as const
