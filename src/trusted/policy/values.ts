import { Caseless } from '../base/caseless.ts'
import type { Fields, Value } from './types.ts'

/**
 * Why an expression has no value: `missing` when it names a keyword, or a field of one, that this activity does not
 * have; `failed` for everything else. A value, not an exception: several policies without a value are an ordinary day.
 */
export class Problem {
  readonly kind: 'missing' | 'failed'
  readonly reason: string

  constructor(kind: 'missing' | 'failed', reason: string) {
    this.kind = kind
    this.reason = reason
  }
}

/** The problem that counts of two: a failed one before a missing one, and the first of equals. */
export function graver(first: Problem | undefined, second: Problem): Problem {
  return first === undefined || (first.kind === 'missing' && second.kind === 'failed') ? second : first
}

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
