import { sha256 } from '@noble/hashes/sha2.js'
import { base58xrp } from '@scure/base'
import { concat } from '../base/bytes.ts'
import { hash160 } from './hash160.ts'

const ACCOUNT_VERSION = 0x00

/** A classic address: base58check in the alphabet of the XRP Ledger over 00 ‖ HASH160(key). */
export function xrpAddress(publicKey: Uint8Array): string {
  const body = concat(Uint8Array.of(ACCOUNT_VERSION), hash160(publicKey))
  return base58xrp.encode(concat(body, sha256(sha256(body)).subarray(0, 4)))
}
