import { base58check, isBase58check } from './base58check.ts'
import { ethereumAccount } from './ethereum-address.ts'

/** Base58check of 41 ‖ the account as Ethereum computes it. */
export function tronAddress(publicKey: Uint8Array): string {
  return base58check(VERSION, ethereumAccount(publicKey))
}

/** Whether a text is such an address, by its checksum. */
export function isTronAddress(text: string): boolean {
  return isBase58check(VERSION, 20, text)
}

const VERSION = 0x41
