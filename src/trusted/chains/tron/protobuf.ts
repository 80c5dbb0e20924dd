import { assert } from '../../base/assert.ts'
import { concat, equalBytes, fromUtf8, utf8 } from '../../base/bytes.ts'
import { invalidTransaction, unreadableTransaction } from '../failures.ts'

/** The fields of a message by their names, in ascending order of their numbers. */
export type Schema = { readonly [name: string]: Field }

/** `enum`: the names of the values 0, 1, 2 and so on. Whole numbers are never negative here. */
type Field =
  | { readonly number: number; readonly kind: 'bytes' | 'text' | 'int64' | 'int32' | 'bool' }
  | { readonly number: number; readonly kind: 'enum'; readonly names: readonly string[] }
  | { readonly number: number; readonly kind: 'message' | 'list'; readonly of: Schema }

/** An absent field has the zero of its kind; an absent message is undefined. */
export type Message<S extends Schema> = { readonly [N in keyof S]: ValueOf<S[N]> }

type ValueOf<F> = F extends { readonly kind: 'bytes' }
  ? Uint8Array
  : F extends { readonly kind: 'int64' | 'int32' }
    ? bigint
    : F extends { readonly kind: 'bool' }
      ? boolean
      : F extends { readonly kind: 'text' | 'enum' }
        ? string
        : F extends { readonly kind: 'message'; readonly of: infer S extends Schema }
          ? Message<S> | undefined
          : F extends { readonly kind: 'list'; readonly of: infer S extends Schema }
            ? readonly Message<S>[]
            : never

type Value = Uint8Array | string | bigint | boolean | undefined | Values | readonly Values[]
type Values = { readonly [name: string]: Value }

/**
 * Reads a proto3 message in the canonical encoding of the usual encoders: fields in ascending order, zeros left out,
 * numbers in their shortest form. All other encodings are refused, because encoding the result again must give the same
 * bytes.
 *
 * @param name  name of the message, for failures
 * @throws Failure `unreadableTransaction`
 * @see    Protocol Buffers, "Encoding"
 */
export function readMessage<S extends Schema>(name: string, schema: S, bytes: Uint8Array): Message<S> {
  const values = readValues(name, schema, bytes)
  if (!equalBytes(writeValues(schema, values), bytes)) throw notCanonical(name)
  // `readValues` gives every field of the schema a value of its kind.
  return values as Message<S>
}

function notCanonical(name: string) {
  return unreadableTransaction({ what: `${name} is not in its canonical encoding` })
}

/** The possible first bytes of a message that is not empty. */
export function firstBytesOf(schema: Schema): ReadonlySet<number | undefined> {
  return new Set(Object.values(schema).map((field) => writeVarint(tagOf(field.number, wireTypeOf(field)))[0]))
}

/** A length-delimited field of a message. */
export function writeBytesField(number: number, bytes: Uint8Array): Uint8Array {
  return concat(writeVarint(tagOf(number, DELIMITED)), writeVarint(BigInt(bytes.length)), bytes)
}

const VARINT = 0n
const DELIMITED = 2n
// An account has at most eight active permissions and five keys in each; a transaction has one contract.
const ITEMS_MAX = 16
const INT32_END = 2n ** 31n
const INT64_END = 2n ** 63n

function readValues(name: string, schema: Schema, bytes: Uint8Array): Values {
  const values: Record<string, Value> = zeros(schema)
  const lists = new Map<string, Values[]>()
  let last = 0
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(name, bytes, at)
    const entry = Object.entries(schema).find(
      ([, field]) => tag.value === tagOf(field.number, wireTypeOf(field)),
    )
    if (entry === undefined) {
      throw unreadableTransaction({
        what: `${name} has an unknown field, number ${tag.value >> 3n} of wire type ${tag.value & 7n}`,
      })
    }
    const [fieldName, field] = entry
    // Encoding would sort the fields, so others than ascending ones are refused at once; a message could have tens of
    // thousands of empty ones.
    if (field.number < last || (field.number === last && field.kind !== 'list')) throw notCanonical(name)
    last = field.number
    const number = readVarint(name, bytes, tag.end)
    if (wireTypeOf(field) === VARINT) {
      values[fieldName] = numberOf(`${name}.${fieldName}`, field, number.value)
      at = number.end
      continue
    }
    const end = BigInt(number.end) + number.value
    if (end > BigInt(bytes.length)) throw unreadableTransaction({ what: `${name} ends within ${fieldName}` })
    const content = bytes.subarray(number.end, Number(end))
    const where = `${name}.${fieldName}`
    if (field.kind === 'list') {
      const items = itemsOf(lists, fieldName)
      if (items.length === ITEMS_MAX)
        throw invalidTransaction({ what: `${where} has more than ${ITEMS_MAX} entries` })
      items.push(readValues(where, field.of, content))
    } else values[fieldName] = contentOf(where, field, content)
    at = Number(end)
  }
  return { ...values, ...Object.fromEntries(lists) }
}

function itemsOf(lists: Map<string, Values[]>, fieldName: string): Values[] {
  const items = lists.get(fieldName) ?? []
  lists.set(fieldName, items)
  return items
}

function zeros(schema: Schema): Record<string, Value> {
  return Object.fromEntries(Object.entries(schema).map(([name, field]) => [name, zeroOf(field)]))
}

function zeroOf(field: Field): Value {
  switch (field.kind) {
    case 'bytes':
      return new Uint8Array()
    case 'text':
      return ''
    case 'int64':
    case 'int32':
      return 0n
    case 'bool':
      return false
    case 'enum':
      return field.names[0]
    case 'message':
      return undefined
    case 'list':
      return []
  }
}

function numberOf(where: string, field: Field, value: bigint): Value {
  switch (field.kind) {
    case 'bool':
      if (value > 1n) throw unreadableTransaction({ what: `${where} is not a boolean` })
      return value === 1n
    case 'enum': {
      const name = value < BigInt(field.names.length) ? field.names[Number(value)] : undefined
      if (name === undefined) throw unreadableTransaction({ what: `${where} has the unknown value ${value}` })
      return name
    }
    default:
      if (value >= (field.kind === 'int32' ? INT32_END : INT64_END)) {
        throw unreadableTransaction({ what: `${where} is negative or too large` })
      }
      return value
  }
}

function contentOf(where: string, field: Field, content: Uint8Array): Value {
  switch (field.kind) {
    case 'text': {
      const text = fromUtf8(content)
      if (text === undefined) throw unreadableTransaction({ what: `${where} is not UTF-8` })
      return text
    }
    case 'message':
      return readValues(where, field.of, content)
    default:
      return content
  }
}

function listOf(value: Value): readonly Values[] {
  assert(Array.isArray(value), 'a repeated field has a list')
  return value
}

function writeValues(schema: Schema, values: Values): Uint8Array {
  return concat(...Object.entries(schema).map(([name, field]) => writeField(field, values[name])))
}

function writeField(field: Field, value: Value): Uint8Array {
  if (field.kind === 'enum') {
    return writeNumber(field, BigInt(field.names.findIndex((name) => name === value)))
  }
  if (typeof value === 'bigint') return writeNumber(field, value)
  if (typeof value === 'boolean') return writeNumber(field, value ? 1n : 0n)
  if (typeof value === 'string') return writeNonEmpty(field, utf8(value))
  if (value instanceof Uint8Array) return writeNonEmpty(field, value)
  if (field.kind === 'list') {
    return concat(...listOf(value).map((item) => writeBytesField(field.number, writeValues(field.of, item))))
  }
  assert(field.kind === 'message', 'only messages are left')
  // A message that is present has values: lists and scalars were handled above.
  return value === undefined
    ? new Uint8Array()
    : writeBytesField(field.number, writeValues(field.of, value as Values))
}

function writeNumber(field: Field, value: bigint): Uint8Array {
  return value === 0n
    ? new Uint8Array()
    : concat(writeVarint(tagOf(field.number, VARINT)), writeVarint(value))
}

function writeNonEmpty(field: Field, bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? bytes : writeBytesField(field.number, bytes)
}

function wireTypeOf({ kind }: Field): bigint {
  return kind === 'int64' || kind === 'int32' || kind === 'bool' || kind === 'enum' ? VARINT : DELIMITED
}

function tagOf(number: number, wireType: bigint): bigint {
  return (BigInt(number) << 3n) | wireType
}

/** At most 10 bytes, below 2^64. Encoding the message again checks that it is the shortest form. */
function readVarint(
  name: string,
  bytes: Uint8Array,
  start: number,
): { readonly value: bigint; readonly end: number } {
  let value = 0n
  for (let at = start; at < start + VARINT_BYTES_MAX; at += 1) {
    const byte = bytes[at]
    if (byte === undefined) throw unreadableTransaction({ what: `${name} ends within a number` })
    value |= BigInt(byte & 0x7f) << (7n * BigInt(at - start))
    if (byte < 0x80) {
      if (value >= 2n ** 64n) break
      return { value, end: at + 1 }
    }
  }
  throw unreadableTransaction({ what: `${name} has a number of more than 64 bits` })
}

const VARINT_BYTES_MAX = 10

function writeVarint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}
