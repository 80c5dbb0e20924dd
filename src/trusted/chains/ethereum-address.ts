import { keccak_256 } from '@noble/hashes/sha3.js'
import { checksummed } from '../crypto/eip55.ts'
import { uncompressed } from './public-key.ts'

/** `0x` and 40 digits in the mixed case of EIP-55. */
export function ethereumAddress(publicKey: Uint8Array): string {
  return checksummed(ethereumAccount(publicKey))
}

/** The last 20 bytes of Keccak-256 over X ‖ Y (Ethereum yellow paper, appendix F); Tron shares it. */
export function ethereumAccount(publicKey: Uint8Array): Uint8Array {
  return keccak_256(uncompressed('CURVE_SECP256K1', publicKey).subarray(1)).subarray(12)
}
