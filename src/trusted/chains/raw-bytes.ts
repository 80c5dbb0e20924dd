import { fromHex, utf8 } from '../base/bytes.ts'
import { invalidPayloadEncoding } from './failures.ts'
import { unprefixed } from './unprefixed.ts'

/** The encodings of payloads that are bytes. */
export const BYTES_ENCODINGS = ['PAYLOAD_ENCODING_HEXADECIMAL', 'PAYLOAD_ENCODING_TEXT_UTF8'] as const

/** The bytes of a payload that is not structured, before any hashing. */
export function rawBytes({
  payload,
  encoding,
}: {
  readonly payload: string
  readonly encoding: string
}): Uint8Array {
  return encoding === 'PAYLOAD_ENCODING_TEXT_UTF8' ? textBytes(payload) : hexadecimalBytes(payload)
}

/**
 * Hexadecimal digits of either case, with or without `0x`. An empty payload is refused, because it is most likely a
 * mistake.
 */
function hexadecimalBytes(payload: string): Uint8Array {
  const digits = unprefixed(payload)
  const bytes = fromHex(digits)
  if (digits === '') throw invalidPayloadEncoding({ what: 'the payload is empty' })
  if (bytes !== undefined) return bytes
  const at = digits.search(/[^0-9a-fA-F]/)
  throw invalidPayloadEncoding({
    what:
      at < 0
        ? `the payload has an odd number of hexadecimal digits, ${digits.length}`
        : `${JSON.stringify(String.fromCodePoint(digits.codePointAt(at) ?? 0))} is not a hexadecimal digit`,
  })
}

function textBytes(payload: string): Uint8Array {
  if (payload === '') throw invalidPayloadEncoding({ what: 'the payload is empty' })
  if (!payload.isWellFormed()) throw invalidPayloadEncoding({ what: 'the payload has a lone surrogate' })
  return utf8(payload)
}
