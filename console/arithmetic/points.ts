import { fromHex } from '../../src/trusted/base/bytes.ts'
import { affine, type Curve, multiple, numberIn, plus, pointOf } from './weierstrass.ts'

/** SEC 2 v2, 2.4.2 */
export const p256: Curve = {
  prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
  order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  a: -3n,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  generator: [
    0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
    1n,
  ],
}

/** The key plus so many times the generator, 33 bytes. @throws RangeError for no key, and for a sum that is no point */
export function tweaked(curve: Curve, key: Uint8Array, scalar: Uint8Array): Uint8Array {
  const point = pointOf(curve, key)
  if (point === undefined) throw new RangeError('the key is no point')
  const sum = plus(curve, multiple(curve, numberIn(scalar, 0), curve.generator), point)
  if (sum[2] === 0n) throw new RangeError('the sum is no point')
  const [x, y] = affine(curve.prime, sum)
  return Uint8Array.of(y % 2n === 0n ? 2 : 3, ...bytesOf(x))
}

/** 65 bytes (04, x, y) of a key in either form of SEC 1. @throws RangeError for no key */
export function whole(curve: Curve, key: Uint8Array): Uint8Array {
  const point = pointOf(curve, key)
  if (point === undefined) throw new RangeError('the key is no point')
  return Uint8Array.of(4, ...bytesOf(point[0]), ...bytesOf(point[1]))
}

function bytesOf(number: bigint): Uint8Array {
  return fromHex(number.toString(16).padStart(64, '0')) ?? new Uint8Array()
}
