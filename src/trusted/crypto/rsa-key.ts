/**
 * Whether an RSA key is safe for verification: an odd modulus of 2048 bits or more (RFC 7518, section 3.3), and an odd
 * exponent of 32 bits or less, so that verifying takes no noticeable time. With an exponent of 1 a signature is the
 * message itself, and an even exponent has no private key (RFC 8017, section 3.1).
 *
 * @param key.n  big-endian, leading zeros or none
 * @param key.e  the same
 */
export function isSoundRsaKey(
  { n, e }: { readonly n: Uint8Array; readonly e: Uint8Array },
  { exponentMin, bitsMax }: { readonly exponentMin: number; readonly bitsMax: number },
): boolean {
  const bits = bitLength(n)
  if (bits < BITS_MIN || bits > bitsMax || bitLength(e) > EXPONENT_BITS_MAX) return false
  const exponent = e.reduce((value, byte) => value * 0x100 + byte, 0)
  return isOdd(n) && isOdd(e) && exponent >= exponentMin
}

const BITS_MIN = 2048
const EXPONENT_BITS_MAX = 32

/** FIPS 186-5, section A.1.1. Issuers and authenticators use this exponent today. */
export const USUAL_EXPONENT = 65537

function isOdd(bytes: Uint8Array): boolean {
  return ((bytes.at(-1) ?? 0) & 1) === 1
}

function bitLength(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24
}
