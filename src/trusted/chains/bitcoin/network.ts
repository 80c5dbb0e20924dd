import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m, createBase58check } from '@scure/base'

/** Testnet and signet share their addresses. */
export type AddressNetwork = 'mainnet' | 'testnet' | 'regtest'

/**
 * The network of an address; mainnet for any other text, such as a public key or the id of a key. The addresses of
 * regtest with a base58 form are those of testnet.
 */
export function networkOf(signWith: string): AddressNetwork {
  const prefix = Object.entries(networks).find(([, network]) => signWith.startsWith(`${network.prefix}1`))
  if (prefix !== undefined) return prefix[0] as AddressNetwork // a name of `networks`
  const version = base58Version(signWith)
  return version === networks.testnet.pkh || version === networks.testnet.sh ? 'testnet' : 'mainnet'
}

export function pkhAddress(network: AddressNetwork, hash: Uint8Array): string {
  return base58check.encode(Uint8Array.of(networks[network].pkh, ...hash))
}

export function shAddress(network: AddressNetwork, hash: Uint8Array): string {
  return base58check.encode(Uint8Array.of(networks[network].sh, ...hash))
}

/** @see BIP-173 for version 0, BIP-350 for those after it */
export function witnessAddress(network: AddressNetwork, version: 0 | 1, program: Uint8Array): string {
  const code = version === 0 ? bech32 : bech32m
  return code.encode(networks[network].prefix, [version, ...code.toWords(program)])
}

const base58check = createBase58check(sha256)

const networks = {
  mainnet: { pkh: 0x00, sh: 0x05, prefix: 'bc' },
  testnet: { pkh: 0x6f, sh: 0xc4, prefix: 'tb' },
  regtest: { pkh: 0x6f, sh: 0xc4, prefix: 'bcrt' },
} as const

function base58Version(text: string): number | undefined {
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 21 ? bytes[0] : undefined
  } catch {
    // Not base58check, so not an address in that form.
    return undefined
  }
}
