import { CURVES, type Curve } from '../crypto/curve.ts'
import { aptosAddress } from './aptos-address.ts'
import { bitcoinAddress } from './bitcoin-address.ts'
import { cosmosAddress } from './cosmos-address.ts'
import { dogecoinAddress } from './dogecoin-address.ts'
import { ethereumAddress } from './ethereum-address.ts'
import { invalidAddressFormat } from './failures.ts'
import { compressedHex, readPublicKey, uncompressedHex } from './public-key.ts'
import { solanaAddress } from './solana-address.ts'
import { sparkAddress } from './spark-address.ts'
import { stellarAddress } from './stellar-address.ts'
import { suiAddress } from './sui-address.ts'
import { tonAddress } from './ton-address.ts'
import { tronAddress } from './tron-address.ts'
import { xrpAddress } from './xrp-address.ts'

export type AddressFormat = keyof typeof rules

/**
 * The address of a public key, in the casing that is stored and compared.
 *
 * @param publicKeyHex  SEC 1 point, compressed or not, for secp256k1 and P-256; 32 bytes for Ed25519; a key of ours
 * @throws              Failure `invalidAddressFormat` when keys on this curve have no address in this format
 */
export function addressOf(format: AddressFormat, curve: Curve, publicKeyHex: string): string {
  const rule: AddressRule = rules[format]
  const encode = rule[curve]
  if (encode === undefined) {
    throw invalidAddressFormat({ format, curve, curvesThatFit: curvesOf(format) })
  }
  return encode(readPublicKey(curve, publicKeyHex))
}

/** The curves whose keys have an address in this format. */
export function curvesOf(format: AddressFormat): readonly Curve[] {
  return CURVES.filter((curve) => Object.hasOwn(rules[format], curve))
}

/** How the key of an address in this format signs. `curve`: in the scheme of its curve, ECDSA or Ed25519. */
export type SigningScheme = 'curve' | 'schnorr' | 'taproot'

export function signingScheme(format: AddressFormat): SigningScheme {
  const rule: AddressRule = rules[format]
  return rule.scheme ?? 'curve'
}

/**
 * The address of a key on each curve; the format does not support absent curves. Keys are as `readPublicKey` returns
 * them. Without a scheme, keys sign in the scheme of their curve.
 */
type AddressRule = { readonly [C in Curve]?: (publicKey: Uint8Array) => string } & {
  readonly scheme?: SigningScheme
}

const rules = {
  ADDRESS_FORMAT_UNCOMPRESSED: {
    CURVE_SECP256K1: uncompressedHex('CURVE_SECP256K1'),
    CURVE_P256: uncompressedHex('CURVE_P256'),
  },
  ADDRESS_FORMAT_COMPRESSED: {
    CURVE_SECP256K1: compressedHex,
    CURVE_P256: compressedHex,
    CURVE_ED25519: compressedHex,
  },
  ADDRESS_FORMAT_ETHEREUM: { CURVE_SECP256K1: ethereumAddress },
  ADDRESS_FORMAT_SOLANA: { CURVE_ED25519: solanaAddress },
  ADDRESS_FORMAT_COSMOS: { CURVE_SECP256K1: cosmosAddress('cosmos') },
  ADDRESS_FORMAT_TRON: { CURVE_SECP256K1: tronAddress },
  ADDRESS_FORMAT_SUI: { CURVE_ED25519: suiAddress },
  ADDRESS_FORMAT_APTOS: { CURVE_ED25519: aptosAddress },
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2PKH: { CURVE_SECP256K1: bitcoinAddress('MAINNET', 'P2PKH') },
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2SH: { CURVE_SECP256K1: bitcoinAddress('MAINNET', 'P2SH') },
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH: { CURVE_SECP256K1: bitcoinAddress('MAINNET', 'P2WPKH') },
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2WSH: { CURVE_SECP256K1: bitcoinAddress('MAINNET', 'P2WSH') },
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR: {
    CURVE_SECP256K1: bitcoinAddress('MAINNET', 'P2TR'),
    scheme: 'taproot',
  },
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2PKH: { CURVE_SECP256K1: bitcoinAddress('TESTNET', 'P2PKH') },
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2SH: { CURVE_SECP256K1: bitcoinAddress('TESTNET', 'P2SH') },
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH: { CURVE_SECP256K1: bitcoinAddress('TESTNET', 'P2WPKH') },
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2WSH: { CURVE_SECP256K1: bitcoinAddress('TESTNET', 'P2WSH') },
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2TR: {
    CURVE_SECP256K1: bitcoinAddress('TESTNET', 'P2TR'),
    scheme: 'taproot',
  },
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2PKH: { CURVE_SECP256K1: bitcoinAddress('SIGNET', 'P2PKH') },
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2SH: { CURVE_SECP256K1: bitcoinAddress('SIGNET', 'P2SH') },
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2WPKH: { CURVE_SECP256K1: bitcoinAddress('SIGNET', 'P2WPKH') },
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2WSH: { CURVE_SECP256K1: bitcoinAddress('SIGNET', 'P2WSH') },
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2TR: {
    CURVE_SECP256K1: bitcoinAddress('SIGNET', 'P2TR'),
    scheme: 'taproot',
  },
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2PKH: { CURVE_SECP256K1: bitcoinAddress('REGTEST', 'P2PKH') },
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2SH: { CURVE_SECP256K1: bitcoinAddress('REGTEST', 'P2SH') },
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2WPKH: { CURVE_SECP256K1: bitcoinAddress('REGTEST', 'P2WPKH') },
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2WSH: { CURVE_SECP256K1: bitcoinAddress('REGTEST', 'P2WSH') },
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2TR: {
    CURVE_SECP256K1: bitcoinAddress('REGTEST', 'P2TR'),
    scheme: 'taproot',
  },
  // Sei is Ed25519 in one published table and secp256k1 everywhere else; its accounts are those of the Cosmos SDK.
  ADDRESS_FORMAT_SEI: { CURVE_SECP256K1: cosmosAddress('sei') },
  ADDRESS_FORMAT_XLM: { CURVE_ED25519: stellarAddress },
  ADDRESS_FORMAT_DOGE_MAINNET: { CURVE_SECP256K1: dogecoinAddress('MAINNET') },
  ADDRESS_FORMAT_DOGE_TESTNET: { CURVE_SECP256K1: dogecoinAddress('TESTNET') },
  ADDRESS_FORMAT_TON_V3R2: { CURVE_ED25519: tonAddress('V3R2') },
  ADDRESS_FORMAT_TON_V4R2: { CURVE_ED25519: tonAddress('V4R2') },
  ADDRESS_FORMAT_TON_V5R1: { CURVE_ED25519: tonAddress('V5R1') },
  ADDRESS_FORMAT_XRP: { CURVE_SECP256K1: xrpAddress },
  ADDRESS_FORMAT_SPARK_MAINNET: { CURVE_SECP256K1: sparkAddress('spark'), scheme: 'schnorr' },
  ADDRESS_FORMAT_SPARK_REGTEST: { CURVE_SECP256K1: sparkAddress('sparkrt'), scheme: 'schnorr' },
} as const satisfies Record<string, AddressRule>

/** All formats, in the order of the interface; the type `AddressFormat` is made of the keys of `rules`. */
export const addressFormats = Object.keys(rules) as readonly AddressFormat[]
