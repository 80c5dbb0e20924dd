import { fromUtf8 } from '../../base/bytes.ts'

/** The kind of a transaction's contract: its number, and the name of the message in its parameter. */
type LooseContract = { readonly type: bigint; readonly message: string }

/**
 * The contract in bytes that a node accepts as `raw_data`: fields in any order, duplicate, unknown, zero, or in more
 * bytes than necessary. The digest is that of the bytes. Every form that a node accepts is found; a node may still
 * refuse some of the forms that are found.
 *
 * @returns  undefined where the bytes are not a message, or do not have exactly one contract
 * @see      Protocol Buffers, "Encoding"; `CodedInputStream` of its Java library, which nodes read with
 */
export function looseContract(rawData: Uint8Array): LooseContract | undefined {
  let contract: Uint8Array | undefined
  let count = 0
  const isMessage = eachField(rawData, (number, value) => {
    if (number !== CONTRACT || typeof value === 'number') return
    contract = value
    count += 1
  })
  if (!isMessage || contract === undefined || count > 1) return undefined
  let type = 0n
  let url = ''
  let isParameter = true
  const isContract = eachField(contract, (number, value) => {
    // Of a duplicate field the last value counts, and duplicate messages are merged.
    if (number === TYPE && typeof value === 'number') type = BigInt(value)
    if (number !== PARAMETER || typeof value === 'number') return
    isParameter &&= eachField(value, (inner, given) => {
      if (inner === TYPE_URL && typeof given !== 'number') url = fromUtf8(given) ?? ''
    })
  })
  // The name follows the last slash, which is required.
  const slash = url.lastIndexOf('/')
  return isContract && isParameter && slash >= 0 ? { type, message: url.slice(slash + 1) } : undefined
}

const CONTRACT = 11
const TYPE = 1
const PARAMETER = 2
const TYPE_URL = 1

/**
 * Tags, lengths and enums are numbers of 32 bits; higher bits are dropped, as nodes do.
 *
 * @returns  whether the bytes are fields to the end; groups are skipped, since no message here has any
 */
function eachField(bytes: Uint8Array, tell: (number: number, value: number | Uint8Array) => void): boolean {
  const groups: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const tagEnd = varintEnd(bytes, at)
    if (tagEnd === undefined) return false
    const tag = low32(bytes, at, tagEnd)
    const [number, wireType] = [tag >>> 3, tag & 7]
    at = tagEnd
    if (number === 0) return false
    if (wireType === VARINT || wireType === DELIMITED) {
      const end = varintEnd(bytes, at)
      if (end === undefined) return false
      const value = low32(bytes, at, end)
      const length = wireType === VARINT ? 0 : value | 0
      at = end + length
      if (length < 0 || at > bytes.length) return false
      if (groups.length === 0) tell(number, wireType === VARINT ? value : bytes.subarray(end, at))
    } else if (wireType === FIXED64 || wireType === FIXED32) at += wireType === FIXED64 ? 8 : 4
    else if (wireType === GROUP) groups.push(number)
    else if (wireType !== GROUP_END || groups.pop() !== number) return false
    if (at > bytes.length) return false
  }
  return groups.length === 0
}

const VARINT = 0
const FIXED64 = 1
const DELIMITED = 2
const GROUP = 3
const GROUP_END = 4
const FIXED32 = 5

/** The end of the number that starts here; undefined where it has no end within ten bytes. */
function varintEnd(bytes: Uint8Array, start: number): number | undefined {
  for (let at = start; at < start + VARINT_BYTES_MAX; at += 1) {
    const byte = bytes[at]
    if (byte === undefined) return undefined
    if (byte < 0x80) return at + 1
  }
  return undefined
}

const VARINT_BYTES_MAX = 10

/** The last of five bytes has bits above 32; a shift drops them. */
function low32(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < Math.min(end, start + 5); at += 1)
    value |= ((bytes[at] ?? 0) & 0x7f) << (7 * (at - start))
  return value >>> 0
}
