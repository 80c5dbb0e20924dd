/**
 * Reads one CBOR map (RFC 8949) from small integers to small integers or byte strings, the form of a passkey's
 * COSE_Key. Lengths must be definite and in the shortest form, as CTAP 2.1, section 8, requires of authenticators; the
 * keys may have any order.
 *
 * @returns  undefined for anything else: a key given twice, another type, bytes missing or left over
 */
export function readIntegerMap(bytes: Uint8Array): ReadonlyMap<number, number | Uint8Array> | undefined {
  const head = readHead(bytes, 0)
  if (head?.major !== MAP || head.argument > entriesMax) return undefined
  const map = new Map<number, number | Uint8Array>()
  let at = head.end
  for (let entry = 0; entry < head.argument; entry++) {
    const key = readItem(bytes, at)
    if (key === undefined || typeof key.value !== 'number' || map.has(key.value)) return undefined
    const item = readItem(bytes, key.end)
    if (item === undefined) return undefined
    map.set(key.value, item.value)
    at = item.end
  }
  return at === bytes.length ? map : undefined
}

type Head = { readonly major: number; readonly argument: number; readonly end: number }
type Item = { readonly value: number | Uint8Array; readonly end: number }

const UNSIGNED = 0
const NEGATIVE = 1
const BYTES = 2
const MAP = 5
const entriesMax = 8

function readItem(bytes: Uint8Array, at: number): Item | undefined {
  const head = readHead(bytes, at)
  if (head === undefined) return undefined
  const { major, argument, end } = head
  if (major === UNSIGNED) return { value: argument, end }
  if (major === NEGATIVE) return { value: -1 - argument, end }
  if (major !== BYTES || end + argument > bytes.length) return undefined
  return { value: bytes.subarray(end, end + argument), end: end + argument }
}

/** RFC 8949, section 3: arguments of up to 16 bits, none longer than it must be. */
function readHead(bytes: Uint8Array, at: number): Head | undefined {
  const [initial, first, second] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  if (initial === undefined) return undefined
  const major = initial >> 5
  const low = initial & 0x1f
  if (low < 24) return { major, argument: low, end: at + 1 }
  if (low === 24 && first !== undefined && first >= 24) return { major, argument: first, end: at + 2 }
  if (low !== 25 || first === undefined || second === undefined) return undefined
  return first === 0 ? undefined : { major, argument: first * 0x100 + second, end: at + 3 }
}
