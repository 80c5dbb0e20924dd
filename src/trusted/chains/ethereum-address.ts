import { keccak_256 } from '@noble/hashes/sha3.js'
import { toHex, utf8 } from '../base/bytes.ts'
import { uncompressed } from './public-key.ts'

/** `0x` and 40 digits in the mixed case of EIP-55. */
export function ethereumAddress(publicKey: Uint8Array): string {
  return checksummed(ethereumAccount(publicKey))
}

/** The last 20 bytes of Keccak-256 over X ‖ Y (Ethereum yellow paper, appendix F); Tron shares it. */
export function ethereumAccount(publicKey: Uint8Array): Uint8Array {
  return keccak_256(uncompressed('CURVE_SECP256K1', publicKey).subarray(1)).subarray(12)
}

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
