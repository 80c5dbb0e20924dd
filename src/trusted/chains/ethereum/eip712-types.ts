import type { JsonValue } from '../../base/strict-json.ts'
import { invalidPayloadEncoding } from '../failures.ts'
import { exactMembers, expectObject } from '../json-payload.ts'
import { quote } from '../quote.ts'

export type FieldType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'fixedBytes'; readonly length: number }
  | { readonly kind: 'bytes' | 'string' | 'bool' | 'address' }
  | { readonly kind: 'array'; readonly of: FieldType; readonly length: number | undefined }
  | { readonly kind: 'struct'; readonly name: string }

/** `typeText` is the type as it was written, and is hashed as such: the grammar has one spelling for each type. */
export type Field = { readonly name: string; readonly typeText: string; readonly type: FieldType }

export type StructTypes = ReadonlyMap<string, readonly Field[]>

/**
 * Reads the member `types` of typed data: for each struct its fields in order. Every named type must exist, even in
 * structs that the message does not use.
 *
 * @throws Failure `invalidPayloadEncoding`
 * @see    EIP-712, "Definition of typed structured data"
 */
export function readStructTypes(value: JsonValue, at: string): StructTypes {
  const declared = Object.entries(expectObject(value, at))
  if (declared.length > STRUCTS_MAX) {
    throw invalidPayloadEncoding({ what: `${at}: more than ${STRUCTS_MAX} types` })
  }
  if (JSON.stringify(value).length > TEXT_LENGTH_MAX) {
    throw invalidPayloadEncoding({ what: `${at}: longer than ${TEXT_LENGTH_MAX} characters` })
  }
  const names = new Set(declared.map(([name]) => name))
  return new Map(
    declared.map(([name, fields]) => {
      expectStructName(name, at)
      return [name, readFields(fields, names, `${at}.${name}`)]
    }),
  )
}

function readFields(value: JsonValue, names: ReadonlySet<string>, at: string): readonly Field[] {
  if (!Array.isArray(value)) {
    throw invalidPayloadEncoding({ what: `${at}: expected an array of fields, got ${quote(value)}` })
  }
  const fields = value.map((field: JsonValue, index) => readField(field, names, `${at}[${index}]`))
  const seen = new Set<string>()
  for (const { name } of fields) {
    if (seen.has(name)) throw invalidPayloadEncoding({ what: `${at}: two fields named ${quote(name)}` })
    seen.add(name)
  }
  return fields
}

function readField(value: JsonValue, names: ReadonlySet<string>, at: string): Field {
  const [name, typeText] = exactMembers(expectObject(value, at), ['name', 'type'], at)
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw invalidPayloadEncoding({ what: `${at}: ${quote(name ?? null)} is not a field name` })
  }
  if (typeof typeText !== 'string') {
    throw invalidPayloadEncoding({ what: `${at}: ${quote(typeText ?? null)} is not a type` })
  }
  return { name, typeText, type: readType(typeText, names, at) }
}

/** `uint8[][3]` is an array of three arrays of numbers: dimensions are read from left to right, outwards. */
function readType(text: string, names: ReadonlySet<string>, at: string): FieldType {
  const firstDimension = text.indexOf('[')
  const base = firstDimension < 0 ? text : text.slice(0, firstDimension)
  const dimensionsText = text.slice(base.length)
  const dimensions = [...dimensionsText.matchAll(DIMENSION)]
  const isWhole = dimensions.map(([dimension]) => dimension).join('') === dimensionsText
  if (!isWhole || dimensions.length > DIMENSIONS_MAX) {
    throw invalidPayloadEncoding({ what: `${at}: ${quote(text)} is not a type` })
  }
  let type = elementaryType(base)
  if (type === undefined && names.has(base)) type = { kind: 'struct', name: base }
  if (type === undefined) {
    const hint = base === 'uint' || base === 'int' ? `, write ${base}256` : ''
    throw invalidPayloadEncoding({ what: `${at}: unknown type ${quote(base)}${hint}` })
  }
  for (const [, length] of dimensions) {
    type = { kind: 'array', of: type, length: length === undefined ? undefined : Number(length) }
  }
  return type
}

/** The atomic and dynamic types of EIP-712, which has no aliases. */
function elementaryType(text: string): FieldType | undefined {
  if (text === 'bytes' || text === 'string' || text === 'bool' || text === 'address') return { kind: text }
  const [, kind, digits] = SIZED.exec(text) ?? []
  const size = Number(digits)
  if (kind === 'bytes') return size <= 32 ? { kind: 'fixedBytes', length: size } : undefined
  if (kind === 'uint' || kind === 'int') {
    return size <= 256 && size % 8 === 0 ? { kind, bits: size } : undefined
  }
  return undefined
}

function expectStructName(name: string, at: string): void {
  if (!NAME.test(name)) throw invalidPayloadEncoding({ what: `${at}: ${quote(name)} is not a type name` })
  // A struct called "uint7" or "uint" would be hashed as a struct here and as a number elsewhere.
  if (RESERVED.test(name)) {
    throw invalidPayloadEncoding({ what: `${at}: ${quote(name)} is the name of an elementary type` })
  }
}

// Names need not be identifiers (a published one reads "HyperliquidTransaction:UsdSend"); only the characters with a
// meaning in the hashed text are forbidden.
const NAME = /^[!-'*+\--Z\\^-~]{1,128}$/ // printable ASCII but space ( ) , [ ]
const SIZED = /^(uint|int|bytes)([1-9][0-9]{0,2})$/
const RESERVED = /^(?:(?:u?int|bytes)[0-9]*|byte|address|bool|string|function|u?fixed(?:[0-9]+x[0-9]+)?)$/
const DIMENSION = /\[([1-9][0-9]{0,5})?\]/g

// The hash of each struct type covers the text of all types that it references: the product of the two limits bounds
// the work.
const STRUCTS_MAX = 64
const TEXT_LENGTH_MAX = 32_768
const DIMENSIONS_MAX = 16 // trees of orders are written as [2][2]…, one dimension for each level
