import { concat, fromHex, toHex } from '../../trusted/base/bytes.ts'

/**
 * A point of P-256 with both coordinates, in the form for WebCrypto.
 *
 * @param point  SEC 1: 33 bytes (02 or 03), or 65 bytes (04), which are returned unchanged
 * @returns      65 bytes; undefined for other input, and for an x without a point
 */
export function wholeP256Point(point: Uint8Array): Uint8Array | undefined {
  const [first] = point
  if (point.length === 65 && first === 4) return point
  if (point.length !== 33 || (first !== 2 && first !== 3)) return undefined
  const x = BigInt(`0x${toHex(point.subarray(1))}`)
  const y = x < PRIME ? yOf(x, first === 3) : undefined
  const yBytes = y === undefined ? undefined : fromHex(y.toString(16).padStart(64, '0'))
  return yBytes && concat(Uint8Array.of(4), point.subarray(1), yBytes)
}

// SEC 2 v2, 2.4.2
const PRIME = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** SEC 1, section 2.3.4: the square root is a power, because the prime is 3 modulo 4. */
function yOf(x: bigint, isOdd: boolean): bigint | undefined {
  const square = (((x ** 3n - 3n * x + B) % PRIME) + PRIME) % PRIME
  const root = power(square, (PRIME + 1n) / 4n)
  if ((root * root) % PRIME !== square) return undefined
  return (root % 2n === 1n) === isOdd ? root : PRIME - root
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % PRIME
    if (bit === '1') result = (result * base) % PRIME
  }
  return result
}
