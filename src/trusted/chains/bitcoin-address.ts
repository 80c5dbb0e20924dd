import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m } from '@scure/base'
import { isHashAddress, networks, pkhAddress, shAddress, witnessAddress } from './bitcoin-network.ts'
import { p2shRedeemScript, p2wshWitnessScript, taprootOutputKey } from './bitcoin-script.ts'
import { hash160 } from './hash160.ts'

type BitcoinNetwork = keyof typeof NETWORKS
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
  const shared = NETWORKS[network]
  switch (script) {
    case 'P2PKH':
      return (publicKey) => pkhAddress(shared, hash160(publicKey))
    case 'P2SH':
      return (publicKey) => shAddress(shared, hash160(p2shRedeemScript(publicKey)))
    case 'P2WPKH':
      return (publicKey) => witnessAddress(shared, 0, hash160(publicKey))
    case 'P2WSH':
      return (publicKey) => witnessAddress(shared, 0, sha256(p2wshWitnessScript(publicKey)))
    case 'P2TR':
      return (publicKey) => witnessAddress(shared, 1, taprootOutputKey(publicKey))
  }
}

/** Whether a text is such an address of the main network, in the spelling that is written here. */
export function isBitcoinAddress(text: string): boolean {
  if (isHashAddress('mainnet', text)) return true
  const { prefix } = networks.mainnet
  const code = text.startsWith(`${prefix}1q`) ? bech32 : bech32m
  const found = code.decodeUnsafe(text)
  if (found?.prefix !== prefix || text !== text.toLowerCase()) return false
  const [version, ...words] = found.words
  const program = code.fromWordsUnsafe(words)
  const lengths = version === 0 && code === bech32 ? [20, 32] : version === 1 && code === bech32m ? [32] : []
  return program !== undefined && lengths.includes(program.length)
}

const NETWORKS = { MAINNET: 'mainnet', TESTNET: 'testnet', SIGNET: 'testnet', REGTEST: 'regtest' } as const
