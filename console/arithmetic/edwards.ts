import { equalBytes, toHex } from '../../src/trusted/base/bytes.ts'
import { inverse, mod, power, times } from './numbers.ts'

// This verifies and never signs, see `weierstrass.ts`. Numbers are those of RFC 8032, section 5.1.

const PRIME = 2n ** 255n - 19n
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const D = mod(-121665n * inverse(121666n, PRIME), PRIME)
const ROOT_OF_MINUS_ONE = power(2n, (PRIME - 1n) / 4n, PRIME)

/** Extended: x/z, y/z, and t = xy/z. */
type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint]

const ZERO: Point = [0n, 1n, 1n, 0n]

/**
 * A signature of Ed25519 (RFC 8032, section 5.1.7), as strictly as the service has it
 * (docs/decisions/ed25519-edge-cases.md): both points in their one encoding, the key of the large order, R of no small
 * one, S below the order, and no cofactor.
 *
 * @param rs   64 bytes
 * @param key  32 bytes
 */
export async function isEd25519(rs: Uint8Array, message: Uint8Array, key: Uint8Array): Promise<boolean> {
  const [s, r] = [numberOf(rs.subarray(32)), rs.subarray(0, 32)]
  const [point, nonce] = [pointOf(key), pointOf(r)]
  if (rs.length !== 64 || key.length !== 32 || point === undefined || nonce === undefined || s >= ORDER)
    return false
  if (isSmall(point) || isSmall(nonce) || !isZero(multiple(ORDER, point))) return false
  const hashed = await crypto.subtle.digest('SHA-512', Uint8Array.from([...r, ...key, ...message]))
  const k = numberOf(new Uint8Array(hashed)) % ORDER
  const sum = plus(multiple(s, GENERATOR), multiple(ORDER - k, point))
  return equalBytes(encoded(sum), r)
}

/** One of the eight points of which a multiple by eight is zero. */
function isSmall(point: Point): boolean {
  return isZero(multiple(8n, point))
}

function isZero([x, y, z]: Point): boolean {
  return x === 0n && y === z
}

/** Section 5.1.3; undefined for what encodes no point, or not in the one form that it has. */
function pointOf(bytes: Uint8Array): Point | undefined {
  const number = numberOf(bytes)
  const [y, isOdd] = [number % 2n ** 255n, number >> 255n]
  if (y >= PRIME) return undefined
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n, PRIME), PRIME)
  const root = power(square, (PRIME + 3n) / 8n, PRIME)
  const x = mod(root * root, PRIME) === square ? root : mod(root * ROOT_OF_MINUS_ONE, PRIME)
  if (mod(x * x, PRIME) !== square || (x === 0n && isOdd === 1n)) return undefined
  return fromAffine(x % 2n === isOdd ? x : PRIME - x, y)
}

function fromAffine(x: bigint, y: bigint): Point {
  return [x, y, 1n, mod(x * y, PRIME)]
}

function encoded([x, y, z]: Point): Uint8Array {
  const over = inverse(z, PRIME)
  const number = mod(y * over, PRIME) + (mod(x * over, PRIME) % 2n) * 2n ** 255n
  return Uint8Array.from({ length: 32 }, (_, at) => Number((number >> BigInt(8 * at)) % 256n))
}

function multiple(number: bigint, point: Point): Point {
  return times(number, point, ZERO, plus)
}

/** Complete, as -1 is a square and D is none (section 5.1.4). */
function plus([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const [a, b] = [mod((y1 - x1) * (y2 - x2), PRIME), mod((y1 + x1) * (y2 + x2), PRIME)]
  const [c, d] = [mod(2n * D * t1 * t2, PRIME), mod(2n * z1 * z2, PRIME)]
  const [e, f, g, h] = [b - a, d - c, d + c, b + a]
  return [mod(e * f, PRIME), mod(g * h, PRIME), mod(f * g, PRIME), mod(e * h, PRIME)]
}

/** The lowest byte first. */
function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${toHex(bytes.toReversed())}`)
}

const GENERATOR = pointOf(Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 0x58 : 0x66))) ?? ZERO
