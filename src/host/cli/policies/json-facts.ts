import { caseless } from '../../../trusted/base/caseless.ts'
import { isJsonObject, type JsonValue } from '../../../trusted/base/strict-json.ts'
import { invalidField, shown } from '../../../trusted/catalogue/shape.ts'
import type { Facts, Type, Value, Vocabulary } from '../../../trusted/policy/types.ts'

/**
 * Facts in a file: whole numbers as numbers, or as decimal digits if a double cannot hold them. Names outside the
 * vocabulary are refused. Texts that the service compares without regard to case become such texts.
 */
export function factsIn(value: JsonValue, vocabulary: Vocabulary, at: string): Facts {
  if (!isJsonObject(value)) throw wrong(at, 'an object', value)
  const entries = Object.entries(value).map(([name, under]) => {
    const type = Object.hasOwn(vocabulary, name) ? vocabulary[name] : undefined
    if (type === undefined)
      throw invalidField({ field: `${at}.${name}`, problem: 'is not a fact that policies know' })
    return [name, valueIn(under, type, [...pathIn(at), name])] as const
  })
  return Object.fromEntries(entries)
}

function valueIn(value: JsonValue, type: Type, path: readonly string[]): Value {
  const at = path.join('.')
  switch (type.kind) {
    case 'bool':
      if (typeof value !== 'boolean') throw wrong(at, 'true or false', value)
      return value
    case 'int':
      return wholeNumber(value) ?? wrongly(at, 'a whole number', value)
    case 'timestamp':
      return BigInt(Date.parse(typeof value === 'string' ? value : '') || wrongly(at, 'a time', value))
    case 'string':
      if (typeof value !== 'string') throw wrong(at, 'a string', value)
      return type.isCaseless ? caseless(value) : value
    case 'list':
      if (!Array.isArray(value)) throw wrong(at, 'a list', value)
      return value.map((item: JsonValue) => valueIn(item, type.of, path))
    case 'map':
      if (!isJsonObject(value)) throw wrong(at, 'an object', value)
      return Object.fromEntries(
        Object.entries(value).map(([name, under]) => [name, valueIn(under, type.of, [...path, name])]),
      )
    case 'struct':
      return factsIn(value, type.fields, at)
    case 'dynamic':
    case 'nothing':
      return dynamicValue(value, at)
  }
}

/** Only the request knows the types: a text in the form of bytes is taken for bytes. */
function dynamicValue(value: JsonValue, at: string): Value {
  if (typeof value === 'number') return wholeNumber(value) ?? wrongly(at, 'a whole number', value)
  if (typeof value === 'string') return /^0x[0-9a-fA-F]*$/.test(value) ? caseless(value) : value
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => dynamicValue(item, at))
  if (!isJsonObject(value)) throw wrong(at, 'a value', value)
  return Object.fromEntries(
    Object.entries(value).map(([name, under]) => [name, dynamicValue(under, `${at}.${name}`)]),
  )
}

function wholeNumber(value: JsonValue): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^-?\d{1,100}$/.test(value) ? BigInt(value) : undefined
}

function pathIn(at: string): readonly string[] {
  return at.split('.')
}

function wrong(field: string, wanted: string, value: JsonValue): Error {
  return invalidField({ field, problem: `must be ${wanted}, not ${shown(value)}` })
}

function wrongly(field: string, wanted: string, value: JsonValue): never {
  throw wrong(field, wanted, value)
}
