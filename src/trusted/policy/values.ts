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

/** Own properties only: every object inherits `toString`. */
export function own<T>(named: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined
}
