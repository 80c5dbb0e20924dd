/**
 * a + b modulo the order, on bytes that can be wiped (a bigint cannot), in constant time.
 *
 * @param a, b   32 bytes, big-endian, below the order
 * @param order  32 bytes, big-endian
 * @returns      32 bytes, zero included; the caller wipes them
 */
export function addScalars(a: Uint8Array, b: Uint8Array, order: Uint8Array): Uint8Array {
  const sum = new Uint8Array(32)
  const reduced = new Uint8Array(32)
  let carry = 0
  let borrow = 0
  for (let at = 31; at >= 0; at--) {
    carry += (a[at] ?? 0) + (b[at] ?? 0)
    sum[at] = carry
    const difference = (carry & 0xff) - (order[at] ?? 0) - borrow
    reduced[at] = difference
    borrow = difference < 0 ? 1 : 0
    carry >>= 8
  }
  // The sum was below the order when subtracting the order borrowed more than the sum carried.
  const keep = carry < borrow ? 0xff : 0
  for (let at = 0; at < 32; at++) {
    reduced[at] = ((sum[at] ?? 0) & keep) | ((reduced[at] ?? 0) & ~keep)
  }
  sum.fill(0)
  return reduced
}
