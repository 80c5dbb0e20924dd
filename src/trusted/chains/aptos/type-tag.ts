import { invalidTransaction } from '../failures.ts'
import type { BcsReader } from './bcs-reader.ts'
import { shownAddress } from './move-address.ts'

/** The highest number and nesting of type arguments that nodes accept. */
export const TYPE_ARGUMENTS_MAX = 32
const DEPTH_MAX = 8

/**
 * A type of Move as the chain's tools write it: `0x1::coin::Coin<0x1::aptos_coin::AptosCoin>`.
 *
 * @throws Failure `unreadableTransaction`; `invalidTransaction` for the type of a function, and for an unknown type,
 *         which future nodes may accept
 * @see    `TypeTag` in `language_storage.rs` of aptos-core
 */
export function readTypeTag(reader: BcsReader, what: string, depth = 1): string {
  if (depth > DEPTH_MAX) throw invalidTransaction({ what: `${what} is deeper than ${DEPTH_MAX} types` })
  const variant = reader.uleb128(what)
  if (variant === VECTOR) return `vector<${readTypeTag(reader, what, depth + 1)}>`
  if (variant === STRUCT) return readStructTag(reader, what, depth)
  const name = SIMPLE.get(variant)
  if (name === undefined) throw invalidTransaction({ what: `${what} is a type of number ${variant}` })
  return name
}

function readStructTag(reader: BcsReader, what: string, depth: number): string {
  const address = shownAddress(reader.address(what))
  const name = `${address}::${readIdentifier(reader, what)}::${readIdentifier(reader, what)}`
  const inner = reader.list(`types in ${what}`, TYPE_ARGUMENTS_MAX, () =>
    readTypeTag(reader, what, depth + 1),
  )
  return inner.length === 0 ? name : `${name}<${inner.join(', ')}>`
}

/**
 * A name of a module, function or struct.
 *
 * @throws Failure `invalidTransaction` for an invalid name, such as one with `::` in it
 */
export function readIdentifier(reader: BcsReader, what: string): string {
  const name = reader.text(`a name of ${what}`)
  if (!IDENTIFIER.test(name)) throw invalidTransaction({ what: `a name of ${what} is not one in Move` })
  return name
}

const IDENTIFIER = /^(?:[A-Za-z]|_[A-Za-z0-9_])[A-Za-z0-9_]{0,253}$/
const VECTOR = 6
const STRUCT = 7
const SIMPLE: ReadonlyMap<number, string> = new Map([
  [0, 'bool'],
  [1, 'u8'],
  [2, 'u64'],
  [3, 'u128'],
  [4, 'address'],
  [5, 'signer'],
  [8, 'u16'],
  [9, 'u32'],
  [10, 'u256'],
  // 11 is a function, with its parameters and results after it.
  [12, 'i8'],
  [13, 'i16'],
  [14, 'i32'],
  [15, 'i64'],
  [16, 'i128'],
  [17, 'i256'],
])
