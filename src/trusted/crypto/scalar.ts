import { assert } from '../base/assert.ts'
import { asBuffer, toHex } from '../base/bytes.ts'

/** SEC 2 version 2, section 2.4.1: n of secp256k1, 32 bytes, big-endian. */
export const SECP256K1_ORDER: Uint8Array = Buffer.from(
  'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
  'hex',
)

/** SEC 2 version 2, section 2.4.2: n of secp256r1, 32 bytes, big-endian. */
export const P256_ORDER: Uint8Array = Buffer.from(
  'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
  'hex',
)

/** True for 32 bytes that, read big-endian, are at least 1 and below the order. */
export function isScalar(bytes: Uint8Array, order: Uint8Array): boolean {
  return bytes.length === 32 && asBuffer(bytes).compare(order) < 0 && bytes.some((byte) => byte !== 0)
}

/** 32 bytes modulo an order of 256 bits, big-endian (`bits2octets` of RFC 6979, section 2.3.4). */
export function reduced(bytes: Uint8Array, order: Uint8Array): Uint8Array {
  assert(bytes.length === 32, 'what is reduced is 32 bytes')
  if (asBuffer(bytes).compare(order) < 0) return bytes
  const less = BigInt(`0x${toHex(bytes)}`) - BigInt(`0x${toHex(order)}`)
  return Buffer.from(less.toString(16).padStart(64, '0'), 'hex')
}

/**
 * A uniform scalar by rejection sampling (FIPS 186-5, appendix A.2.2).
 *
 * @returns  32 bytes, big-endian, in 1..order-1; the caller wipes it
 */
export function randomScalar(order: Uint8Array, randomBytes: (length: number) => Uint8Array): Uint8Array {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const candidate = randomBytes(32)
    if (isScalar(candidate, order)) return candidate
  }
  assert(false, 'random bytes are random')
}

// The most likely rejection, on P-256, has a chance of 2^-32: several in a row mean that the source is broken.
const attemptsMax = 8
