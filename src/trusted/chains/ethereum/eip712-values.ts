import { present } from '../../base/assert.ts'
import { fromHex } from '../../base/bytes.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { invalidPayloadEncoding } from '../failures.ts'
import { type IntegerRange, readInteger } from '../json-integer.ts'
import { exactMembers, expectObject } from '../json-payload.ts'
import { quote } from '../quote.ts'
import { readAccount } from './account.ts'
import type { FieldType, StructTypes } from './eip712-types.ts'

/** A value that has the type it was declared with. */
export type TypedValue =
  /** `text` is its canonical decimal digits, where it was sent as a string. */
  | { readonly kind: 'integer'; readonly integer: bigint; readonly text?: string }
  | { readonly kind: 'bool'; readonly bool: boolean }
  | { readonly kind: 'string'; readonly string: string }
  /** 20 bytes. */
  | { readonly kind: 'address'; readonly address: Uint8Array }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** 1 to 32 bytes, as many as the type says. */
  | { readonly kind: 'fixedBytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'array'; readonly elements: readonly TypedValue[] }
  | TypedStruct

export type TypedStruct = {
  readonly kind: 'struct'
  readonly typeName: string
  /** In the order of the type. */
  readonly fields: ReadonlyMap<string, TypedValue>
}

/** The remaining number of values that the payload may have; shared by all its parts. */
type ValueBudget = { left: number }

/**
 * Reads a JSON value as a struct of the type named. Every field must be present and not null, and there must be no
 * other field: published encoders drop unknown fields, so people would be shown more than they sign.
 *
 * @throws Failure `invalidPayloadEncoding`
 */
export function readStruct(
  value: JsonValue,
  typeName: string,
  types: StructTypes,
  budget: ValueBudget,
  at: string,
): TypedStruct {
  const fields = present(types.get(typeName), 'every struct that is named is declared')
  const members = exactMembers(
    expectObject(value, at),
    fields.map(({ name }) => name),
    at,
  )
  return {
    kind: 'struct',
    typeName,
    fields: new Map(
      fields.map(({ name, type }, index) => [
        name,
        readValue(members[index] ?? null, type, types, budget, `${at}.${name}`),
      ]),
    ),
  }
}

function readValue(
  value: JsonValue,
  type: FieldType,
  types: StructTypes,
  budget: ValueBudget,
  at: string,
): TypedValue {
  if (budget.left-- === 0) throw invalidPayloadEncoding({ what: `${at}: too many values in one payload` })
  switch (type.kind) {
    case 'uint':
    case 'int': {
      const integer = readInteger(value, rangeOf(type), at)
      return typeof value === 'string'
        ? { kind: 'integer', integer, text: String(integer) }
        : { kind: 'integer', integer }
    }
    case 'address':
      return { kind: 'address', address: readAccount(value, at) }
    case 'bytes':
      return { kind: 'bytes', bytes: readBytes(value, at) }
    case 'fixedBytes': {
      const bytes = readBytes(value, at)
      if (bytes.length === type.length) return { kind: 'fixedBytes', bytes }
      throw invalidPayloadEncoding({ what: `${at}: expected ${type.length} bytes, got ${bytes.length}` })
    }
    case 'bool':
      if (typeof value === 'boolean') return { kind: 'bool', bool: value }
      throw invalidPayloadEncoding({ what: `${at}: expected true or false, got ${quote(value)}` })
    case 'string':
      if (typeof value === 'string') return { kind: 'string', string: value }
      throw invalidPayloadEncoding({ what: `${at}: expected a string, got ${quote(value)}` })
    case 'struct':
      return readStruct(value, type.name, types, budget, at)
    case 'array':
      return {
        kind: 'array',
        elements: expectElements(value, type.length, at).map((element, index) =>
          readValue(element, type.of, types, budget, `${at}[${index}]`),
        ),
      }
  }
}

function rangeOf({ kind, bits }: { readonly kind: 'uint' | 'int'; readonly bits: number }): IntegerRange {
  if (kind === 'uint') return { min: 0n, max: (1n << BigInt(bits)) - 1n }
  const half = 1n << BigInt(bits - 1)
  return { min: -half, max: half - 1n }
}

function readBytes(value: JsonValue, at: string): Uint8Array {
  const bytes = typeof value === 'string' && value.startsWith('0x') ? fromHex(value.slice(2)) : undefined
  if (bytes !== undefined) return bytes
  throw invalidPayloadEncoding({
    what: `${at}: expected bytes as 0x and an even number of hexadecimal digits, got ${quote(value)}`,
  })
}

function expectElements(value: JsonValue, length: number | undefined, at: string): readonly JsonValue[] {
  if (!Array.isArray(value)) {
    throw invalidPayloadEncoding({ what: `${at}: expected an array, got ${quote(value)}` })
  }
  if (length !== undefined && value.length !== length) {
    throw invalidPayloadEncoding({ what: `${at}: expected ${length} elements, got ${value.length}` })
  }
  return value
}
