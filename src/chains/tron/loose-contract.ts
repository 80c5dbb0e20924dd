import { fromUtf8 } from '../../base/bytes.ts'

/** What a contract of a transaction is of: its number, and the name of the message that its parameter says it has. */
export type LooseContract = { readonly type: bigint; readonly message: string }

/**
 * The contract in bytes that a node takes for `raw_data`: fields in any order, more than once, unknown, zero, or in more bytes
 * than they need. The digest is that of the bytes. Whatever a node takes is found; what is found may still be refused by it.
 *
 * @returns  undefined where the bytes are no message, or have no contract, or several
 * @see      Protocol Buffers, "Encoding"; `CodedInputStream` of its Java library, which nodes read with
 */
export function looseContract(rawData: Uint8Array): LooseContract | undefined {
  let contract: Uint8Array | undefined
  let count = 0
  const isMessage = eachField(rawData, (number, value) => {
    if (number !== CONTRACT || typeof value === 'bigint') return
    contract = value
    count += 1
  })
  if (!isMessage || contract === undefined || count > 1) return undefined
  let type = 0n
  let url = ''
  let isParameter = true
  const isContract = eachField(contract, (number, value) => {
    // Of what is there twice the last counts, and messages that are there twice are merged.
    if (number === TYPE && typeof value === 'bigint') type = BigInt.asUintN(32, value)
    if (number !== PARAMETER || typeof value === 'bigint') return
    isParameter &&= eachField(value, (inner, given) => {
      if (inner === TYPE_URL && typeof given !== 'bigint') url = fromUtf8(given) ?? ''
    })
  })
  // The name is what follows the last slash, and there has to be one.
  const slash = url.lastIndexOf('/')
  return isContract && isParameter && slash >= 0 ? { type, message: url.slice(slash + 1) } : undefined
}

const CONTRACT = 11n
const TYPE = 1n
const PARAMETER = 2n
const TYPE_URL = 1n

/** @returns  whether the bytes are fields to the end; what stands in a group is passed over, as no message here has any */
function eachField(bytes: Uint8Array, tell: (number: bigint, value: bigint | Uint8Array) => void): boolean {
  const groups: bigint[] = []
  const field = (number: bigint, value: bigint | Uint8Array): void => {
    if (groups.length === 0) tell(number, value)
  }
  for (let at = 0; at < bytes.length; ) {
    const tag = varintAt(bytes, at)
    if (tag === undefined) return false
    // Tags and lengths are numbers of 32 bits; what is above them is dropped.
    const number = BigInt.asUintN(32, tag.value) >> 3n
    const wireType = tag.value & 7n
    at = tag.end
    if (number === 0n) return false
    if (wireType === 0n || wireType === 2n) {
      const read = varintAt(bytes, at)
      if (read === undefined) return false
      const length = wireType === 0n ? 0 : Number(BigInt.asIntN(32, read.value))
      at = read.end + length
      if (length < 0 || at > bytes.length) return false
      field(number, wireType === 0n ? read.value : bytes.subarray(read.end, at))
    } else if (wireType === 1n || wireType === 5n) at += wireType === 1n ? 8 : 4
    else if (wireType === 3n) groups.push(number)
    else if (wireType !== 4n || groups.pop() !== number) return false
    if (at > bytes.length) return false
  }
  return groups.length === 0
}

function varintAt(
  bytes: Uint8Array,
  start: number,
): { readonly value: bigint; readonly end: number } | undefined {
  let value = 0n
  for (let at = start; at < start + VARINT_BYTES_MAX; at += 1) {
    const byte = bytes[at]
    if (byte === undefined) return undefined
    value |= BigInt(byte & 0x7f) << (7n * BigInt(at - start))
    if (byte < 0x80) return { value, end: at + 1 }
  }
  return undefined
}

const VARINT_BYTES_MAX = 10
