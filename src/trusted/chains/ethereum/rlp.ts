import { present } from '../../base/assert.ts'
import { concat, fromHex } from '../../base/bytes.ts'

export type RlpItem = Uint8Array | readonly RlpItem[]

/** Recursive length prefix encoding (Ethereum yellow paper, appendix B). */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (!(item instanceof Uint8Array)) return withLength(LIST, concat(...item.map(encodeRlp)))
  const only = item.length === 1 ? item[0] : undefined
  // A single byte below 80 encodes itself.
  return only !== undefined && only < STRING ? item : withLength(STRING, item)
}

/** A whole number in RLP: big-endian without leading zeros; zero is the empty string. */
export function rlpInteger(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array()
  const digits = value.toString(16)
  return present(fromHex(digits.length % 2 === 0 ? digits : `0${digits}`), 'a whole number in base 16')
}

const STRING = 0x80
const LIST = 0xc0
const SHORT_LENGTH_MAX = 55

function withLength(kind: typeof STRING | typeof LIST, body: Uint8Array): Uint8Array {
  if (body.length <= SHORT_LENGTH_MAX) return concat(Uint8Array.of(kind + body.length), body)
  const length = rlpInteger(BigInt(body.length))
  return concat(Uint8Array.of(kind + SHORT_LENGTH_MAX + length.length), length, body)
}
