import { bech32, bech32m } from '@scure/base'
import { base58check, base58checkVersion } from './base58check.ts'

/** Testnet and signet share their addresses. */
export type AddressNetwork = 'mainnet' | 'testnet' | 'regtest'

/**
 * The network of an address; mainnet for any other text, such as a public key or the id of a key. The addresses of
 * regtest with a base58 form are those of testnet.
 */
export function networkOf(signWith: string): AddressNetwork {
  const prefix = Object.entries(networks).find(([, network]) => signWith.startsWith(`${network.prefix}1`))
  if (prefix !== undefined) return prefix[0] as AddressNetwork // a name of `networks`
  return isHashAddress('testnet', signWith) ? 'testnet' : 'mainnet'
}

export function pkhAddress(network: AddressNetwork, hash: Uint8Array): string {
  return base58check(networks[network].pkh, hash)
}

export function shAddress(network: AddressNetwork, hash: Uint8Array): string {
  return base58check(networks[network].sh, hash)
}

/** Whether a text is an address of a key hash or of a script hash. */
export function isHashAddress(network: AddressNetwork, text: string): boolean {
  const version = base58checkVersion(text)
  return version === networks[network].pkh || version === networks[network].sh
}

/** @see BIP-173 for version 0, BIP-350 for those after it */
export function witnessAddress(network: AddressNetwork, version: 0 | 1, program: Uint8Array): string {
  const code = version === 0 ? bech32 : bech32m
  return code.encode(networks[network].prefix, [version, ...code.toWords(program)])
}

export const networks = {
  mainnet: { pkh: 0x00, sh: 0x05, prefix: 'bc' },
  testnet: { pkh: 0x6f, sh: 0xc4, prefix: 'tb' },
  regtest: { pkh: 0x6f, sh: 0xc4, prefix: 'bcrt' },
} as const
