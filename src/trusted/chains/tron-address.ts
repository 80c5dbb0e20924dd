import { base58check, base58checkVersion } from './base58check.ts'
import { ethereumAccount } from './ethereum-address.ts'

/** Base58check of 41 ‖ the account as Ethereum computes it. */
export function tronAddress(publicKey: Uint8Array): string {
  return base58check(VERSION, ethereumAccount(publicKey))
}

/** Whether a text is such an address, by its checksum. */
export function isTronAddress(text: string): boolean {
  return base58checkVersion(text) === VERSION
}

const VERSION = 0x41
