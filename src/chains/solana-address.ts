import { base58 } from '@scure/base'

/** Base58 of the 32 bytes of the key, without a checksum. */
export function solanaAddress(publicKey: Uint8Array): string {
  return base58.encode(publicKey)
}
