import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { concat } from '../base/bytes.ts'

/** Base58 of version (1 byte) ‖ body ‖ the first 4 bytes of a double SHA-256 over both. */
export function base58check(version: number, body: Uint8Array): string {
  return codec.encode(concat(Uint8Array.of(version), body))
}

const codec = createBase58check(sha256)
