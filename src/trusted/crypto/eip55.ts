import { keccak_256 } from '@noble/hashes/sha3.js'
import { toHex, utf8 } from '../base/bytes.ts'

/** EIP-55: a letter is upper case where the same digit of the hash of the lower-case text is 8 or more. */
export function checksummed(account: Uint8Array): string {
  const digits = toHex(account)
  const hashDigits = toHex(keccak_256(utf8(digits)))
  let text = '0x'
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charAt(at)
    text += hashDigits.charAt(at) >= '8' ? digit.toUpperCase() : digit
  }
  return text
}
