import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { concat } from '../base/bytes.ts'

/** Base58 of version (1 byte) ‖ body ‖ the first 4 bytes of a double SHA-256 over both. */
export function base58check(version: number, body: Uint8Array): string {
  return codec.encode(concat(Uint8Array.of(version), body))
}

/** Whether a text is this of a body with this length. */
export function isBase58check(version: number, length: number, text: string): boolean {
  try {
    const bytes = codec.decode(text)
    return bytes.length === 1 + length && bytes[0] === version
  } catch {
    // Another checksum, or what is no base58.
    return false
  }
}

const codec = createBase58check(sha256)
