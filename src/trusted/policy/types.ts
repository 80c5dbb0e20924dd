import { assert } from '../base/assert.ts'
import type { Caseless } from '../base/caseless.ts'
import type { Problem } from './problem.ts'

/**
 * The type of a value. `nothing` is the type of the items of the empty list `[]`, which fits wherever any other type
 * does. `dynamic` is the type of a value whose real type only the request knows: it fits wherever any type but
 * `timestamp` does, and its use is checked when it is evaluated.
 */
export type Type =
  | { readonly kind: 'bool' | 'int' | 'timestamp' | 'nothing' | 'dynamic' }
  | { readonly kind: 'string'; readonly isCaseless?: true }
  | { readonly kind: 'list'; readonly of: Type }
  | { readonly kind: 'map'; readonly of: Type }
  | { readonly kind: 'struct'; readonly fields: Vocabulary }

/** The keywords that an expression may name, each with its type. Activities contribute to it. */
export type Vocabulary = { readonly [keyword: string]: Type }

/**
 * A value of the language. Ints are bigint; a timestamp is one too, in milliseconds since the Unix epoch. A string that
 * is compared without regard to case is a `Caseless`.
 */
export type Value = boolean | bigint | string | Caseless | readonly Value[] | Fields

/**
 * A struct or a map. Only own properties count; an absent or undefined one is a thing this activity does not have. A
 * problem is one that activities of this kind have, but that this request leaves without a value.
 */
export type Fields = { readonly [name: string]: Value | Problem | undefined }

/** The values of the keywords, for one activity. */
export type Facts = Fields

export const bool: Type = { kind: 'bool' }
export const int: Type = { kind: 'int' }
export const string: Type = { kind: 'string' }
/** A string whose case is of no account: its values are `Caseless`. */
export const caselessString: Type = { kind: 'string', isCaseless: true }
export const timestamp: Type = { kind: 'timestamp' }
export const nothing: Type = { kind: 'nothing' }
export const dynamic: Type = { kind: 'dynamic' }

export function list(of: Type): Type {
  return { kind: 'list', of }
}

/** Values of one type under names that only the activity knows, reached with `x['name']`. */
export function map(of: Type): Type {
  return { kind: 'map', of }
}

/** Fields reached with a dot. `count` cannot be one: `.count` counts. */
export function struct(fields: Vocabulary): Type {
  assert(!Object.hasOwn(fields, 'count'), 'no field of a struct is named count')
  return { kind: 'struct', fields }
}

/** The type that has the values of both; undefined when there is none. */
export function common(a: Type, b: Type): Type | undefined {
  if (a === b || b.kind === 'nothing') return a
  if (a.kind === 'nothing') return b
  if (a.kind === 'dynamic') return isOfRequest(b) ? b : undefined
  if (b.kind === 'dynamic') return common(b, a)
  if (a.kind === 'list' && b.kind === 'list') {
    const of = common(a.of, b.of)
    return of === undefined ? undefined : list(of)
  }
  // Two structs or maps are one type only when they are the same declaration.
  return isScalar(a) && a.kind === b.kind ? a : undefined
}

/**
 * Whether a value that only the request knows may have the type. It is never a timestamp: a number of seconds in a
 * message would be compared with milliseconds, and each limit would hold.
 */
function isOfRequest(type: Type): boolean {
  return type.kind === 'list' ? isOfRequest(type.of) : type.kind !== 'timestamp'
}

/** Whether values of the type can be compared. */
export function isScalar(type: Type): boolean {
  return SCALARS.includes(type.kind)
}

const SCALARS: readonly Type['kind'][] = ['bool', 'int', 'string', 'timestamp', 'nothing', 'dynamic']

/** The name of a type in messages, for example `list<string>`. */
export function nameOfType(type: Type): string {
  return type.kind === 'list' || type.kind === 'map' ? `${type.kind}<${nameOfType(type.of)}>` : type.kind
}
