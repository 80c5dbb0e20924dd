import { fromHex } from '../../../trusted/base/bytes.ts'
import { unprefixed } from '../../../trusted/chains/unprefixed.ts'
import { checksummed } from '../../../trusted/crypto/eip55.ts'

/** In the letter case of EIP-55, as the destination is shown. */
export function evmAddressText(address: string): string {
  const bytes = fromHex(unprefixed(address))
  return bytes === undefined ? address : checksummed(bytes)
}
