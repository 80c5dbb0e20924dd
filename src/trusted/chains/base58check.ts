import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { concat } from '../base/bytes.ts'

/** Base58 of version (1 byte) ‖ body ‖ the first 4 bytes of a double SHA-256 over both. */
export function base58check(version: number, body: Uint8Array): string {
  return codec.encode(concat(Uint8Array.of(version), body))
}

/** The version of a text that is this of a body of 20 bytes; undefined for any other text. */
export function base58checkVersion(text: string): number | undefined {
  try {
    const bytes = codec.decode(text)
    return bytes.length === 21 ? bytes[0] : undefined
  } catch {
    // Another checksum, or what is no base58.
    return undefined
  }
}

const codec = createBase58check(sha256)
