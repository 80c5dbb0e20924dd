import { base32 } from '@scure/base'
import { concat } from '../base/bytes.ts'
import { crc16 } from './crc16.ts'

const ACCOUNT_VERSION = 6 << 3 // SEP-23, "G" addresses

/** StrKey: base32 of version ‖ key ‖ CRC-16 (little-endian), 56 upper-case characters (SEP-23). */
export function stellarAddress(publicKey: Uint8Array): string {
  const body = concat(Uint8Array.of(ACCOUNT_VERSION), publicKey)
  const checksum = crc16(body)
  return base32.encode(concat(body, Uint8Array.of(checksum & 0xff, checksum >> 8)))
}
