import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m } from '@scure/base'
import { base58check, isBase58check } from './base58check.ts'
import { p2shRedeemScript, p2wshWitnessScript, taprootOutputKey } from './bitcoin-script.ts'
import { hash160 } from './hash160.ts'

type BitcoinNetwork = keyof typeof networks
type BitcoinScript = 'P2PKH' | 'P2SH' | 'P2WPKH' | 'P2WSH' | 'P2TR'

/**
 * The address of a compressed secp256k1 key. Testnet and signet share their strings, so an address alone does not
 * say its format.
 *
 * @see BIP-13, BIP-173, BIP-350, BIP-86
 */
export function bitcoinAddress(
  network: BitcoinNetwork,
  script: BitcoinScript,
): (publicKey: Uint8Array) => string {
  const { p2pkhVersion, p2shVersion, prefix } = networks[network]
  switch (script) {
    case 'P2PKH':
      return (publicKey) => base58check(p2pkhVersion, hash160(publicKey))
    case 'P2SH':
      return (publicKey) => base58check(p2shVersion, hash160(p2shRedeemScript(publicKey)))
    case 'P2WPKH':
      return (publicKey) => bech32.encode(prefix, [0, ...bech32.toWords(hash160(publicKey))])
    case 'P2WSH':
      return (publicKey) =>
        bech32.encode(prefix, [0, ...bech32.toWords(sha256(p2wshWitnessScript(publicKey)))])
    case 'P2TR':
      return (publicKey) => bech32m.encode(prefix, [1, ...bech32m.toWords(taprootOutputKey(publicKey))])
  }
}

/** Whether a text is such an address of the main network, in the spelling that is written here. */
export function isBitcoinAddress(text: string): boolean {
  const { p2pkhVersion, p2shVersion, prefix } = networks.MAINNET
  if ([p2pkhVersion, p2shVersion].some((version) => isBase58check(version, 20, text))) return true
  const code = text.startsWith(`${prefix}1q`) ? bech32 : bech32m
  const found = code.decodeUnsafe(text)
  if (found?.prefix !== prefix || text !== text.toLowerCase()) return false
  const [version, ...words] = found.words
  const program = code.fromWordsUnsafe(words)
  const lengths = version === 0 && code === bech32 ? [20, 32] : version === 1 && code === bech32m ? [32] : []
  return program !== undefined && lengths.includes(program.length)
}

const networks = {
  MAINNET: { p2pkhVersion: 0x00, p2shVersion: 0x05, prefix: 'bc' },
  TESTNET: { p2pkhVersion: 0x6f, p2shVersion: 0xc4, prefix: 'tb' },
  SIGNET: { p2pkhVersion: 0x6f, p2shVersion: 0xc4, prefix: 'tb' },
  REGTEST: { p2pkhVersion: 0x6f, p2shVersion: 0xc4, prefix: 'bcrt' },
} as const
