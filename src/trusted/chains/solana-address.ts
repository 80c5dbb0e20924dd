import { base58 } from '@scure/base'
import { toHex } from '../base/bytes.ts'

/** Base58 of the 32 bytes of the key, without a checksum. */
export function solanaAddress(publicKey: Uint8Array): string {
  return base58.encode(publicKey)
}

/** The key of an address in its canonical spelling, in lowercase hex; undefined for any other text. */
export function solanaKeyOf(address: string): string | undefined {
  if (!BASE58.test(address)) return undefined
  const bytes = base58.decode(address)
  return bytes.length === 32 && solanaAddress(bytes) === address ? toHex(bytes) : undefined
}

// 32 bytes take 32 to 44 digits.
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
