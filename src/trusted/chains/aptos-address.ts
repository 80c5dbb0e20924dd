import { sha3_256 } from '@noble/hashes/sha3.js'
import { concat, toHex } from '../base/bytes.ts'

const SINGLE_ED25519_SCHEME = 0x00

/** `0x` and 64 digits, leading zeros kept (AIP-40): SHA3-256 of key ‖ authentication scheme. */
export function aptosAddress(publicKey: Uint8Array): string {
  return `0x${toHex(sha3_256(concat(publicKey, Uint8Array.of(SINGLE_ED25519_SCHEME))))}`
}
