import { Caseless } from '../base/caseless.ts'
import type { Problem } from './problem.ts'
import type { Fields, Value } from './types.ts'

export function isList(value: Value | Problem): value is readonly Value[] {
  return Array.isArray(value)
}

export function isFields(value: Value): value is Fields {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Caseless)
}

/** The text of a string, whether or not its case counts. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value
  return value instanceof Caseless ? value.text : undefined
}

export function own(fields: Fields, name: string): Value | Problem | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
