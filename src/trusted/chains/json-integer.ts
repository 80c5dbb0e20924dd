import type { JsonValue } from '../base/strict-json.ts'
import { invalidPayloadEncoding } from './failures.ts'
import { quote } from './quote.ts'

/** Inclusive at both ends. */
export type IntegerRange = { readonly min: bigint; readonly max: bigint }

/**
 * An integer as signing clients write it: a JSON number, decimal digits in a string, or `0x` and hexadecimal digits. A
 * JSON number beyond 2^53 is refused: JSON readers disagree about its value.
 *
 * @param at  path of the value, for the message
 * @throws    Failure `invalidPayloadEncoding`
 */
export function readInteger(value: JsonValue, range: IntegerRange, at: string): bigint {
  const integer = typeof value === 'number' ? fromNumber(value, at) : fromText(value)
  if (integer === undefined) {
    throw invalidPayloadEncoding({
      what: `${at}: expected an integer as a number, decimal digits or 0x and hexadecimal digits, got ${quote(value)}`,
    })
  }
  if (integer < range.min || integer > range.max) {
    throw invalidPayloadEncoding({ what: `${at}: ${quote(value)} is out of range` })
  }
  return integer
}

function fromNumber(value: number, at: string): bigint | undefined {
  if (Number.isSafeInteger(value)) return BigInt(value)
  if (!Number.isInteger(value)) return undefined
  throw invalidPayloadEncoding({ what: `${at}: a number beyond 2^53 is not exact, send it as a string` })
}

function fromText(value: JsonValue): bigint | undefined {
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX) return undefined
  return DECIMAL.test(value) || HEXADECIMAL.test(value) ? BigInt(value) : undefined
}

const DECIMAL = /^(?:0|-?[1-9][0-9]*)$/
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/
const TEXT_LENGTH_MAX = 79 // a minus sign and the 78 digits of 2^256
