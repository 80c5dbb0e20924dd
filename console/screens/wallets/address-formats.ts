/**
 * The curves of keys, each with the formats in which its keys have an address, as the interface names them without
 * their `ADDRESS_FORMAT_`; `test/console/wallets.test.ts` compares them with those of the service.
 */
export const CURVES = [
  {
    curve: 'CURVE_SECP256K1',
    name: 'secp256k1',
    formats: formats(
      'ETHEREUM TRON COSMOS SEI XRP',
      bitcoin('MAINNET'),
      bitcoin('TESTNET'),
      bitcoin('SIGNET'),
      bitcoin('REGTEST'),
      'DOGE_MAINNET DOGE_TESTNET SPARK_MAINNET SPARK_REGTEST COMPRESSED UNCOMPRESSED',
    ),
  },
  {
    curve: 'CURVE_ED25519',
    name: 'Ed25519',
    formats: formats('SOLANA APTOS SUI XLM TON_V3R2 TON_V4R2 TON_V5R1 COMPRESSED'),
  },
  { curve: 'CURVE_P256', name: 'P-256', formats: formats('COMPRESSED UNCOMPRESSED') },
] as const

type Curve = (typeof CURVES)[number]['curve']

/** What the service takes: a curve, and the formats that were ticked or chosen in their full names. */
export const fullName = (format: string): string => `ADDRESS_FORMAT_${format}`
export const shortName = (addressFormat: string): string => addressFormat.replace(/^ADDRESS_FORMAT_/, '')

export function formatsOf(curve: Curve): readonly string[] {
  return CURVES.find((one) => one.curve === curve)?.formats ?? []
}

function bitcoin(network: string): string {
  return ['P2WPKH', 'P2TR', 'P2PKH', 'P2SH', 'P2WSH'].map((kind) => `BITCOIN_${network}_${kind}`).join(' ')
}

function formats(...names: readonly string[]): readonly string[] {
  return names.join(' ').split(' ')
}
