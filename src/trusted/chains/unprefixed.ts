/** Hexadecimal digits without the `0x` that may stand before them. */
export function unprefixed(hex: string): string {
  return hex.replace(/^0x/i, '')
}
