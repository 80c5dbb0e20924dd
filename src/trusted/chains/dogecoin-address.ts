import { base58check } from './base58check.ts'
import { hash160 } from './hash160.ts'

/** A P2PKH address with the version bytes of Dogecoin. */
export function dogecoinAddress(network: keyof typeof versions): (publicKey: Uint8Array) => string {
  return (publicKey) => base58check(versions[network], hash160(publicKey))
}

const versions = { MAINNET: 0x1e, TESTNET: 0x71 } as const
