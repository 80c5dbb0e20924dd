import { asBuffer, concat } from '../base/bytes.ts'
import { isScalar } from './scalar.ts'

/**
 * Reads `SEQUENCE { INTEGER r, INTEGER s }` (SEC 1, appendix C.5), with both numbers in 1..order-1.
 *
 * Strict as DER (X.690, section 10), with one exception: an integer may carry leading zero bytes that it does not need,
 * as long as it has at most 33 bytes, because a published client sends such signatures. Lengths have the short form:
 * the longest signature has 72 bytes, so the long form is never minimal.
 *
 * @returns  r ‖ s, 64 bytes (IEEE P1363); undefined for anything else
 */
export function readDer(der: Uint8Array, order: Uint8Array): Uint8Array | undefined {
  if (der.length > derLengthMax || der[0] !== SEQUENCE || der[1] !== der.length - 2) return undefined
  const r = readInteger(der, 2)
  if (r === undefined) return undefined
  const s = readInteger(der, r.end)
  if (s === undefined || s.end !== der.length) return undefined
  if (!isScalar(r.scalar, order) || !isScalar(s.scalar, order)) return undefined
  return concat(r.scalar, s.scalar)
}

/** The one DER encoding of r ‖ s (64 bytes): minimal integers, short lengths. */
export function writeDer(rs: Uint8Array): Uint8Array {
  const r = minimalInteger(rs.subarray(0, 32))
  const s = minimalInteger(rs.subarray(32))
  return concat(
    Uint8Array.of(SEQUENCE, r.length + s.length + 4, INTEGER, r.length),
    r,
    Uint8Array.of(INTEGER, s.length),
    s,
  )
}

const SEQUENCE = 0x30
const INTEGER = 0x02
const integerLengthMax = 33
const derLengthMax = 2 + 2 * (2 + integerLengthMax)

/** @returns  the number in 32 bytes, and where the next element starts; undefined when negative, too long or cut off */
function readInteger(
  der: Uint8Array,
  at: number,
): { readonly scalar: Uint8Array; readonly end: number } | undefined {
  const length = der[at + 1]
  if (der[at] !== INTEGER || length === undefined || length < 1 || length > integerLengthMax) return undefined
  const end = at + 2 + length
  if (end > der.length) return undefined
  const content = der.subarray(at + 2, end)
  const first = content[0] ?? 0
  if (first >= 0x80) return undefined
  if (length === integerLengthMax && first !== 0) return undefined
  const scalar = Buffer.alloc(32)
  const digits = length === integerLengthMax ? content.subarray(1) : content
  scalar.set(digits, 32 - digits.length)
  return { scalar, end }
}

function minimalInteger(scalar: Uint8Array): Uint8Array {
  const firstDigit = scalar.findIndex((byte) => byte !== 0)
  const digits = asBuffer(scalar.subarray(firstDigit < 0 ? 31 : firstDigit))
  return (digits[0] ?? 0) >= 0x80 ? concat(Uint8Array.of(0), digits) : digits
}
