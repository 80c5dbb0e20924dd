import { unreadableTransaction } from '../failures.ts'
import type { RlpItem } from './rlp.ts'

/**
 * Reads `bytes` as one item in canonical encoding: every length is the shortest, a byte below 80 encodes itself, and
 * nothing follows. `encodeRlp` of the result gives the same bytes again.
 *
 * @returns lists of views of `bytes`, not copies
 * @throws  Failure `unreadableTransaction`
 * @see     Ethereum yellow paper, appendix B
 */
export function readRlp(bytes: Uint8Array): RlpItem {
  const { item, end } = readItem(bytes, 0, bytes.length, 0)
  if (end !== bytes.length) throw wrong(end, `${bytes.length - end} bytes too many`)
  return item
}

type Read = { readonly item: RlpItem; readonly end: number }

/** The item that starts at `at` and ends at or before `end`, which is within `bytes`. */
function readItem(bytes: Uint8Array, at: number, end: number, depth: number): Read {
  const first = byteAt(bytes, at, end)
  if (first < STRING) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  const isList = first >= LIST
  const { from, to } = readLength(bytes, at, end, first - (isList ? LIST : STRING))
  if (isList) return { item: readItems(bytes, from, to, depth), end: to }
  if (to - from === 1 && byteAt(bytes, from, to) < STRING) {
    throw wrong(at, 'a byte below 80 that does not stand for itself')
  }
  return { item: bytes.subarray(from, to), end: to }
}

function readItems(bytes: Uint8Array, from: number, to: number, depth: number): readonly RlpItem[] {
  if (depth === DEPTH_MAX) throw wrong(from, `lists deeper than ${DEPTH_MAX}`)
  const items: RlpItem[] = []
  for (let at = from; at < to; ) {
    const { item, end } = readItem(bytes, at, to, depth + 1)
    items.push(item)
    at = end
  }
  return items
}

/**
 * Where the content of an item lies.
 *
 * @param length  the first byte of the item less 80 or C0: the length itself, or 55 and how many bytes it has
 */
function readLength(
  bytes: Uint8Array,
  at: number,
  end: number,
  length: number,
): { readonly from: number; readonly to: number } {
  const lengthBytes = Math.max(0, length - SHORT_LENGTH_MAX)
  const from = at + 1 + lengthBytes
  let content = length
  if (lengthBytes > 0) {
    content = 0
    if (byteAt(bytes, at + 1, end) === 0) throw wrong(at, 'a length with leading zeros')
    // Eight bytes at most: a length that is rounded here is far beyond the end.
    for (let each = at + 1; each < from; each++) content = content * 256 + byteAt(bytes, each, end)
    if (content <= SHORT_LENGTH_MAX) throw wrong(at, 'a long length where a short one does')
  }
  if (content > end - from) throw wrong(at, 'an item longer than what it is in')
  return { from, to: from + content }
}

function byteAt(bytes: Uint8Array, at: number, end: number): number {
  const byte = at < end ? bytes[at] : undefined
  if (byte === undefined) throw wrong(at, 'an item that ends too early')
  return byte
}

function wrong(at: number, what: string) {
  return unreadableTransaction({ what: `not canonical RLP: at byte ${at} there is ${what}` })
}

const STRING = 0x80
const LIST = 0xc0
const SHORT_LENGTH_MAX = 55
// An access list is the deepest thing in a transaction, and its keys lie in lists at depth 4.
const DEPTH_MAX = 8
