import { keccak_256 } from '@noble/hashes/sha3.js'
import { concat, utf8 } from '../base/bytes.ts'

/** EIP-191, version 0x45: the digest of `personal_sign`; the length of the message is in bytes, as decimal text. */
export function eip191Digest(message: Uint8Array): Uint8Array {
  return keccak_256(concat(utf8(`\x19Ethereum Signed Message:\n${message.length}`), message))
}
