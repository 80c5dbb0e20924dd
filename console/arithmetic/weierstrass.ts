import { toHex } from '../../src/trusted/base/bytes.ts'
import { inverse, mod, power, times } from './numbers.ts'

// This verifies and never signs. No secret comes near it, so that it need not take the same time for all numbers.

/** y² = x³ + ax + b over a prime that is 3 modulo 4, with a group of prime order. */
export type Curve = {
  readonly prime: bigint
  readonly order: bigint
  readonly a: bigint
  readonly b: bigint
  readonly generator: Point
}

/** Projective: x/z and y/z. */
type Point = readonly [x: bigint, y: bigint, z: bigint]

const ZERO: Point = [0n, 1n, 0n]

/** SEC 2 v2, 2.4.1 */
export const secp256k1: Curve = {
  prime: 2n ** 256n - 2n ** 32n - 977n,
  order: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
  a: 0n,
  b: 7n,
  generator: [
    0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
    0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
    1n,
  ],
}

/**
 * An ECDSA signature over a digest (SEC 1, section 4.1.4). The higher s is taken too.
 *
 * @param rs   64 bytes
 * @param key  SEC 1: 33 or 65 bytes
 * @returns    whether the y of R is odd, which is what a recovery bit says; undefined where the signature is none
 */
export function ecdsaParity(
  curve: Curve,
  rs: Uint8Array,
  digest: Uint8Array,
  key: Uint8Array,
): boolean | undefined {
  const { prime, order, generator } = curve
  const [r, s, point] = [numberIn(rs, 0), numberIn(rs, 32), pointOf(curve, key)]
  if (rs.length !== 64 || point === undefined || r < 1n || r >= order || s < 1n || s >= order)
    return undefined
  const w = inverse(s, order)
  const sum = plus(
    curve,
    multiple(curve, mod(numberIn(digest, 0) * w, order), generator),
    multiple(curve, mod(r * w, order), point),
  )
  if (sum[2] === 0n) return undefined
  const [x, y] = affine(prime, sum)
  return x % order === r ? y % 2n === 1n : undefined
}

export function pointOf({ prime, a, b }: Curve, key: Uint8Array): Point | undefined {
  const [first = 0] = key
  const x = numberIn(key, 1)
  if (x >= prime) return undefined
  const square = mod(x ** 3n + a * x + b, prime)
  const root = power(square, (prime + 1n) / 4n, prime)
  if ((root * root) % prime !== square) return undefined
  if (key.length === 33 && (first === 2 || first === 3))
    return [x, root % 2n === BigInt(first % 2) ? root : mod(-root, prime), 1n]
  const y = numberIn(key, 33)
  return key.length === 65 && first === 4 && (y === root || y === mod(-root, prime)) ? [x, y, 1n] : undefined
}

export function multiple(curve: Curve, number: bigint, point: Point): Point {
  return times(number, point, ZERO, (one, other) => plus(curve, one, other))
}

/** Complete: the same for any two points, equal, opposite or zero (Renes, Costello and Batina 2016, algorithm 1). */
export function plus({ prime, a, b }: Curve, [x1, y1, z1]: Point, [x2, y2, z2]: Point): Point {
  const [xx, yy, zz] = [mod(x1 * x2, prime), mod(y1 * y2, prime), mod(z1 * z2, prime)]
  const [xy, xz, yz] = [x1 * y2 + x2 * y1, mod(x1 * z2 + x2 * z1, prime), y1 * z2 + y2 * z1]
  const u = mod(a * xz + 3n * b * zz, prime)
  const v = mod(a * xx + 3n * b * xz - a * a * zz, prime)
  const w = mod(3n * xx + a * zz, prime)
  return [
    mod(xy * (yy - u) - yz * v, prime),
    mod((yy + u) * (yy - u) + w * v, prime),
    mod(yz * (yy + u) + xy * w, prime),
  ]
}

export function affine(prime: bigint, [x, y, z]: Point): readonly [x: bigint, y: bigint] {
  const over = inverse(z, prime)
  return [mod(x * over, prime), mod(y * over, prime)]
}

/** Of 32 bytes from there on. */
export function numberIn(bytes: Uint8Array, at: number): bigint {
  return BigInt(`0x0${toHex(bytes.subarray(at, at + 32))}`)
}
