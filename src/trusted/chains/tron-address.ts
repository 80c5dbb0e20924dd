import { base58check } from './base58check.ts'
import { ethereumAccount } from './ethereum-address.ts'

/** Base58check of 41 ‖ the account as Ethereum computes it. */
export function tronAddress(publicKey: Uint8Array): string {
  return base58check(0x41, ethereumAccount(publicKey))
}
