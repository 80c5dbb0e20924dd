/**
 * The types of the contracts in bytes that a lenient reader of Protocol Buffers takes for `raw_data`: fields in any order, more
 * than once, unknown, zero, or in more bytes than they need. Nodes read so, and the digest is that of the bytes.
 *
 * @returns  none where the bytes are no message, or have no contract with a parameter
 * @see      Protocol Buffers, "Encoding"
 */
export function looseContractTypes(rawData: Uint8Array): readonly bigint[] {
  const types: bigint[] = []
  const isMessage = eachField(rawData, (number, value) => {
    if (number !== CONTRACT || typeof value === 'bigint') return
    let type = 0n
    let hasParameter = false
    const isContract = eachField(value, (inner, given) => {
      // Of what is there twice the last counts.
      if (inner === TYPE && typeof given === 'bigint') type = BigInt.asUintN(32, given)
      if (inner === PARAMETER && typeof given !== 'bigint') hasParameter = true
    })
    if (isContract && hasParameter) types.push(type)
  })
  return isMessage ? types : []
}

const CONTRACT = 11n
const TYPE = 1n
const PARAMETER = 2n

/** @returns  whether the bytes are fields to the end */
function eachField(bytes: Uint8Array, tell: (number: bigint, value: bigint | Uint8Array) => void): boolean {
  for (let at = 0; at < bytes.length; ) {
    const tag = varintAt(bytes, at)
    if (tag === undefined) return false
    const number = BigInt.asUintN(32, tag.value) >> 3n
    const wireType = tag.value & 7n
    at = tag.end
    if (wireType === 0n || wireType === 2n) {
      const read = varintAt(bytes, at)
      if (read === undefined) return false
      at = read.end
      if (wireType === 0n) tell(number, read.value)
      else {
        if (read.value > BigInt(bytes.length - at)) return false
        const end = at + Number(read.value)
        tell(number, bytes.subarray(at, end))
        at = end
      }
    } else if (wireType === 1n || wireType === 5n) at += wireType === 1n ? 8 : 4
    // What is between the ends of a group is looked at as if it were not in one.
    else if (wireType > 5n || number === 0n) return false
    if (at > bytes.length) return false
  }
  return true
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
