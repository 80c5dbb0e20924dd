import { sha256 } from '@noble/hashes/sha2.js'
import { concat, utf8 } from '../base/bytes.ts'

/** SHA-256 over two copies of the hash of a tag and over bytes, so that no two uses share a hash. @see BIP-340 */
export function taggedHash(tag: string, bytes: Uint8Array): Uint8Array {
  const prefix = sha256(utf8(tag))
  return sha256(concat(prefix, prefix, bytes))
}
