/**
 * The kinds of account that the page derives, each with the curve and the path that wallets use for it (SLIP 44, BIP
 * 44, 84).
 */
export const derivations = [
  {
    name: 'Ethereum',
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    curve: 'CURVE_SECP256K1',
    path: (index: number) => `m/44'/60'/0'/0/${index}`,
  },
  {
    name: 'Solana',
    addressFormat: 'ADDRESS_FORMAT_SOLANA',
    curve: 'CURVE_ED25519',
    path: (index: number) => `m/44'/501'/${index}'/0'`,
  },
  {
    name: 'Bitcoin',
    addressFormat: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH',
    curve: 'CURVE_SECP256K1',
    path: (index: number) => `m/84'/0'/0'/0/${index}`,
  },
  {
    name: 'Tron',
    addressFormat: 'ADDRESS_FORMAT_TRON',
    curve: 'CURVE_SECP256K1',
    path: (index: number) => `m/44'/195'/0'/0/${index}`,
  },
  {
    name: 'Aptos',
    addressFormat: 'ADDRESS_FORMAT_APTOS',
    curve: 'CURVE_ED25519',
    path: (index: number) => `m/44'/637'/${index}'/0'/0'`,
  },
] as const

/**
 * What `create_wallet` and `create_wallet_accounts` take: the first account of this kind whose path is not among these.
 */
export function nextAccount(addressFormat: string, paths: ReadonlySet<string>) {
  const { curve, path, ...kind } =
    derivations.find((one) => one.addressFormat === addressFormat) ?? derivations[0]
  let index = 0
  while (paths.has(path(index))) index++
  return {
    curve,
    pathFormat: 'PATH_FORMAT_BIP32',
    path: path(index),
    addressFormat: kind.addressFormat,
  } as const
}
