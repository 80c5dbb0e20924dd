import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { expectList, expectMember, invalidContractInterface, member } from '../invalid-interface.ts'
import { quote } from '../quote.ts'

/**
 * A type of the contract ABI. `text` is its canonical spelling, as selectors use it. `size` is the number of bytes of
 * its encoding; undefined for a dynamic type, which is encoded at its offset.
 */
export type AbiType = { readonly text: string; readonly size: number | undefined } & (
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'address' | 'bool' | 'bytes' | 'string' }
  /** `bytes1` to `bytes32`, and `function`: an address and a selector, 24 bytes. */
  | { readonly kind: 'fixedBytes'; readonly length: number }
  /** `length` is undefined for an array of dynamic length. */
  | { readonly kind: 'array'; readonly of: AbiType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly components: readonly AbiType[] }
)

/**
 * The type of a parameter, from its members `type` and `components`. No type has size zero, so that each decoded value
 * uses up data.
 *
 * @param depth  of tuples and arrays around it
 * @throws       Failure `invalidContractInterface`
 * @see          Solidity documentation, "Contract ABI Specification", sections "Types" and "JSON"
 */
export function readAbiType(parameter: JsonObject, at: string, depth = 0): AbiType {
  const text = member(parameter, 'type')
  if (typeof text !== 'string') {
    throw invalidContractInterface({
      at: `${at}.type`,
      what: text === undefined ? 'missing' : `expected a text, got ${quote(text)}`,
    })
  }
  const bracket = text.indexOf('[')
  if (bracket < 0) return baseType(text, parameter, at, depth)
  const dimensions = dimensionsOf(text.slice(bracket))
  if (dimensions === undefined || depth + dimensions.length > DEPTH_MAX) {
    throw invalidContractInterface({ at: `${at}.type`, what: `${quote(text)} is not a type` })
  }
  return dimensions.reduce(
    arrayOf,
    baseType(text.slice(0, bracket), parameter, at, depth + dimensions.length),
  )
}

function baseType(text: string, parameter: JsonObject, at: string, depth: number): AbiType {
  const type = text === 'tuple' ? tupleType(member(parameter, 'components'), at, depth) : elementaryType(text)
  if (type !== undefined) return type
  throw invalidContractInterface({ at: `${at}.type`, what: `unknown type ${quote(text)}` })
}

function tupleType(value: JsonValue | undefined, at: string, depth: number): AbiType {
  const place = `${at}.components`
  const listed = expectList(value, place)
  if (listed.length === 0) throw invalidContractInterface({ at: place, what: 'a tuple of nothing' })
  if (depth === DEPTH_MAX) {
    throw invalidContractInterface({ at: place, what: `types nested deeper than ${DEPTH_MAX}` })
  }
  const components = listed.map((component, index) => {
    const inner = `${place}[${index}]`
    return readAbiType(expectMember(component, inner), inner, depth + 1)
  })
  return {
    kind: 'tuple',
    components,
    text: `(${components.map((component) => component.text).join(',')})`,
    size: sizeOfAll(components),
  }
}

/** Together, one after the other; undefined when one of them is dynamic. */
function sizeOfAll(types: readonly AbiType[]): number | undefined {
  let sum = 0
  for (const { size } of types) {
    if (size === undefined) return undefined
    sum += size
  }
  return sum
}

/** `uint8[][3]` is an array of three arrays of numbers: dimensions are read from left to right, outwards. */
function arrayOf(of: AbiType, length: number | undefined): AbiType {
  return {
    kind: 'array',
    of,
    length,
    text: `${of.text}[${length ?? ''}]`,
    size: length === undefined || of.size === undefined ? undefined : of.size * length,
  }
}

function dimensionsOf(text: string): readonly (number | undefined)[] | undefined {
  if (!DIMENSIONS.test(text)) return undefined
  return text
    .slice(1, -1)
    .split('][')
    .map((digits) => (digits === '' ? undefined : Number(digits)))
}

function elementaryType(text: string): AbiType | undefined {
  switch (text) {
    case 'address':
    case 'bool':
      return { kind: text, text, size: WORD }
    case 'bytes':
    case 'string':
      return { kind: text, text, size: undefined }
    case 'function':
      return { kind: 'fixedBytes', length: 24, text, size: WORD }
    // Aliases in interfaces written by hand; selectors use the canonical name.
    case 'uint':
    case 'int':
      return { kind: text, bits: 256, text: `${text}256`, size: WORD }
  }
  const [, kind, digits] = SIZED.exec(text) ?? []
  const count = Number(digits)
  if (kind === 'bytes')
    return count <= 32 ? { kind: 'fixedBytes', length: count, text, size: WORD } : undefined
  if (kind === 'uint' || kind === 'int') {
    return count <= 256 && count % 8 === 0 ? { kind, bits: count, text, size: WORD } : undefined
  }
  return undefined
}

/** Everything is encoded in units of so many bytes. */
export const WORD = 32

const SIZED = /^(uint|int|bytes)([1-9][0-9]{0,2})$/
const DIMENSIONS = /^(?:\[(?:[1-9][0-9]{0,8})?\])+$/
const DEPTH_MAX = 16
