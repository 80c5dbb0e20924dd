/** Hexadecimal digits without an optional `0x` before them. */
export function unprefixed(hex: string): string {
  return hex.replace(/^0x/i, '')
}
