import { toHex } from '../../base/bytes.ts'

/**
 * An address as AIP-40 has it: `0x` and 64 lowercase digits, except `0x0` to `0xf` for the first sixteen, the special
 * addresses of the framework.
 *
 * @param address  32 bytes
 */
export function shownAddress(address: Uint8Array): string {
  const digits = toHex(address)
  return `0x${SPECIAL.test(digits) ? digits.slice(-1) : digits}`
}

const SPECIAL = /^0{63}/
