import { blake2b } from '@noble/hashes/blake2.js'
import { concat, toHex } from '../base/bytes.ts'

const ED25519_FLAG = 0x00

/** `0x` and 64 digits: BLAKE2b-256 of the signature scheme's flag ‖ key. */
export function suiAddress(publicKey: Uint8Array): string {
  return `0x${toHex(blake2b(concat(Uint8Array.of(ED25519_FLAG), publicKey), { dkLen: 32 }))}`
}
