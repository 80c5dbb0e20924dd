import { toHex } from '../../base/bytes.ts'
import { unreadableTransaction } from '../failures.ts'
import type { RlpItem } from './rlp.ts'

// The fields of transactions as RLP has them. Each reader refuses another shape with Failure `unreadableTransaction`
// and the name of the field, so that a field has one encoding only.

/** A whole number of at most `max`: big-endian, no leading zeros, nothing at all for zero. */
export function readUint(item: RlpItem | undefined, max: bigint, at: string): bigint {
  const bytes = readBytes(item, at)
  if (bytes.length === 0) return 0n
  if (bytes[0] === 0) throw unreadableTransaction({ what: `${at} has leading zeros` })
  // Checked first, so that a megabyte of digits is never converted.
  const value = bytes.length > UINT256_LENGTH ? undefined : BigInt(`0x${toHex(bytes)}`)
  if (value === undefined || value > max) throw unreadableTransaction({ what: `${at} is above ${max}` })
  return value
}

export function readBytes(item: RlpItem | undefined, at: string): Uint8Array {
  if (item instanceof Uint8Array) return item
  throw unreadableTransaction({ what: `${at} is ${item === undefined ? 'missing' : 'a list'}` })
}

/** Exactly `length` bytes: 20 of an address, 32 of a storage key or hash. */
export function readFixed(item: RlpItem | undefined, length: number, at: string): Uint8Array {
  const bytes = readBytes(item, at)
  if (bytes.length === length) return bytes
  throw unreadableTransaction({ what: `${at} has ${bytes.length} bytes, not ${length}` })
}

/** 20 bytes; undefined for none, which means the creation of a contract. */
export function readRecipient(item: RlpItem | undefined, at: string): Uint8Array | undefined {
  const bytes = readBytes(item, at)
  if (bytes.length === 0) return undefined
  if (bytes.length === ADDRESS_LENGTH) return bytes
  throw unreadableTransaction({ what: `${at} has ${bytes.length} bytes, not 20 or none` })
}

export function readList(item: RlpItem | undefined, at: string): readonly RlpItem[] {
  if (item !== undefined && !(item instanceof Uint8Array)) return item
  throw unreadableTransaction({ what: `${at} is ${item === undefined ? 'missing' : 'not a list'}` })
}

/** A list of exactly `length` items. */
export function readTuple(item: RlpItem | undefined, length: number, at: string): readonly RlpItem[] {
  const items = readList(item, at)
  if (items.length === length) return items
  throw unreadableTransaction({ what: `${at} has ${items.length} fields, not ${length}` })
}

export const ADDRESS_LENGTH = 20
export const UINT64_MAX = 2n ** 64n - 1n
export const UINT256_MAX = 2n ** 256n - 1n
const UINT256_LENGTH = 32
