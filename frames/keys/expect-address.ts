import type { Bytes } from '../bundles/p256-keys.ts'
import { wrongAddress } from '../failures.ts'
import { ethereumAddressOf, isSameAddress, solanaAddressOf } from './address-of.ts'

/**
 * Refuses a key of another address than the one that the page named. Addresses of Ethereum and Solana are compared; one
 * of another chain cannot be, and is refused.
 *
 * @throws Failure `wrongAddress`, `badKey`
 */
export function expectAddress(named: string, key: Bytes): void {
  const address = named.startsWith('0x') ? ethereumAddressOf(key) : solanaAddressOf(key)
  if (!isSameAddress(address, named)) throw wrongAddress()
}
