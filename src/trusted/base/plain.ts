/**
 * A strict schema that checks a value without copying or changing it, for messages between our own processes and for
 * rows of the store. Requests of clients are read by the lenient shapes of `catalogue/shape.ts`, which take `null` for
 * absent and digits for a number, as published clients send them.
 */
export type Plain<T> = {
  /** The problem, after the path to it; undefined when the value is a T. */
  readonly problem: (value: unknown) => string | undefined
  readonly isOptional?: true
  /** Carries the type only; never set. */
  readonly of?: T
}

export type PlainOf<P> = P extends Plain<infer T> ? T : never

/** The error for a value that does not match its schema. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain'
}

/**
 * @param what  name of the value, at the beginning of the error's message
 * @throws NotPlain
 */
export function readPlain<T>(plain: Plain<T>, value: unknown, what: string): T {
  if (isPlain(plain, value)) return value
  throw new NotPlain(`${what}${plain.problem(value)}`)
}

export function isPlain<T>(plain: Plain<T>, value: unknown): value is T {
  return plain.problem(value) === undefined
}

/** Any value; another part of the code checks it. */
export const anything: Plain<unknown> = { problem: () => undefined }

type Fields = { readonly [name: string]: Plain<unknown> }
type OptionalNames<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly isOptional: true } ? K : never
}[keyof F]
type RecordOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: PlainOf<F[K]>
} & { readonly [K in OptionalNames<F>]?: PlainOf<F[K]> }

/** An object with these fields and no others. */
export function record<F extends Fields>(fields: F): Plain<RecordOf<F>> {
  const shapes = new Map(Object.entries(fields))
  const required = [...shapes].filter(([, plain]) => plain.isOptional !== true).map(([name]) => name)
  const problem = (value: unknown): string | undefined => {
    if (!isObject(value)) return ` must be an object, not ${kindOf(value)}`
    let found = 0
    for (const name in value) {
      const given = value[name]
      if (given === undefined) continue
      const plain = shapes.get(name)
      if (plain === undefined) return `.${quoted(name)} is not known here`
      const wrong = plain.problem(given)
      if (wrong !== undefined) return `.${name}${wrong}`
      if (plain.isOptional !== true) found++
    }
    if (found === required.length) return undefined
    return `.${required.find((name) => !Object.hasOwn(value, name) || value[name] === undefined)} is missing`
  }
  return { problem }
}

/** An object with these fields, and with others of any kind beside them. */
export function openRecord<F extends Fields>(
  fields: F,
): Plain<RecordOf<F> & { readonly [name: string]: unknown }> {
  const known = record(fields)
  const named = new Set(Object.keys(fields))
  return {
    problem: (value) =>
      isObject(value)
        ? known.problem(Object.fromEntries(Object.entries(value).filter(([name]) => named.has(name))))
        : known.problem(value),
  }
}

/** For recursive schemas. */
export function later<T>(plain: () => Plain<T>): Plain<T> {
  return { problem: (value) => plain().problem(value) }
}

export function optional<P extends Plain<unknown>>(plain: P): P & { readonly isOptional: true } {
  return { ...plain, isOptional: true }
}

export function nullable<T>(plain: Plain<T>): Plain<T | null> {
  return { problem: (value) => (value === null ? undefined : plain.problem(value)) }
}

export function list<T>(item: Plain<T>, lengthMax: number): Plain<readonly T[]> {
  return {
    problem: (value) => {
      if (!Array.isArray(value)) return ` must be a list, not ${kindOf(value)}`
      if (value.length > lengthMax) return ` must have at most ${lengthMax} entries, not ${value.length}`
      for (let at = 0; at < value.length; at++) {
        const wrong = item.problem(value[at])
        if (wrong !== undefined) return `[${at}]${wrong}`
      }
      return undefined
    },
  }
}

/** An object with entries of one kind under any names. */
export function entries<T>(item: Plain<T>, entriesMax: number): Plain<{ readonly [name: string]: T }> {
  return {
    problem: (value) => {
      if (!isObject(value)) return ` must be an object, not ${kindOf(value)}`
      let found = 0
      for (const name in value) {
        if (++found > entriesMax) return ` must have at most ${entriesMax} entries`
        const wrong = item.problem(value[name])
        if (wrong !== undefined) return `.${quoted(name)}${wrong}`
      }
      return undefined
    },
  }
}

/** Text of at most `lengthMax` UTF-16 units. */
export function text(lengthMax: number): Plain<string> {
  return {
    problem: (value) => {
      if (typeof value !== 'string') return ` must be text, not ${kindOf(value)}`
      if (value.length > lengthMax) return ` must have at most ${lengthMax} characters, not ${value.length}`
      return undefined
    },
  }
}

/**
 * As `text`, without lone surrogates, for texts that are encoded as UTF-8: two different texts must not give the same
 * bytes.
 */
export function wellFormed(lengthMax: number): Plain<string> {
  const any = text(lengthMax)
  return {
    problem: (value) =>
      typeof value === 'string' && value.length <= lengthMax && value.isWellFormed()
        ? undefined
        : (any.problem(value) ?? ' must not have lone surrogates'),
  }
}

/** @param pattern  anchored at both ends */
export function textLike(pattern: RegExp, what: string): Plain<string> {
  return {
    problem: (value) =>
      typeof value === 'string' && value.length <= PATTERN_CHARACTERS_MAX && pattern.test(value)
        ? undefined
        : ` must be ${what}, not ${typeof value === 'string' ? quoted(value) : kindOf(value)}`,
  }
}

const PATTERN_CHARACTERS_MAX = 200

/** A whole number (a number, not a string of digits), by default from 0 on. */
export function whole(min = 0): Plain<number> {
  return {
    problem: (value) =>
      Number.isSafeInteger(value) && Number(value) >= min
        ? undefined
        : ` must be a whole number from ${min} on, not ${typeof value === 'number' ? value : kindOf(value)}`,
  }
}

export const flag: Plain<boolean> = {
  problem: (value) =>
    typeof value === 'boolean' ? undefined : ` must be true or false, not ${kindOf(value)}`,
}

export function oneOf<const V extends string | number | boolean>(values: readonly V[]): Plain<V> {
  const known = new Set<unknown>(values)
  return {
    problem: (value) => (known.has(value) ? undefined : ` must be one of ${values.join(', ')}`),
  }
}

/** One of the keys of an object; the compiler checks that the object has a key for every K. */
export function nameIn<K extends string>(names: Readonly<Record<K, true>>): Plain<K> {
  return {
    problem: (value) =>
      typeof value === 'string' && Object.hasOwn(names, value)
        ? undefined
        : ` must be one of ${Object.keys(names).join(', ')}`,
  }
}

/** The fields of each variant, by the value of the tag. */
type Variants = { readonly [name: string]: Fields }
export type TaggedOf<Tag extends string, V extends Variants> = {
  [K in keyof V & string]: { readonly [T in Tag]: K } & RecordOf<V[K]>
}[keyof V & string]

/**
 * A tagged union: one field says which of several records it is.
 *
 * @param shared  fields that all variants have
 */
export function tagged<Tag extends string, V extends Variants, S extends Fields = {}>(
  tag: Tag,
  variants: V,
  shared?: S,
): Plain<TaggedOf<Tag, V> & RecordOf<S>> {
  const records = new Map(
    Object.entries(variants).map(([name, fields]) => [
      name,
      record({ ...fields, ...shared, [tag]: oneOf([name]) }),
    ]),
  )
  return {
    problem: (value) => {
      if (!isObject(value)) return ` must be an object, not ${kindOf(value)}`
      const name = value[tag]
      const known = typeof name === 'string' ? records.get(name) : undefined
      return known === undefined
        ? `.${tag} must be one of ${[...records.keys()].join(', ')}`
        : known.problem(value)
    },
  }
}

/** A value that matches either of two schemas. */
export function either<A, B>(first: Plain<A>, second: Plain<B>): Plain<A | B> {
  return {
    problem: (value) => (first.problem(value) === undefined ? undefined : second.problem(value)),
  }
}

/** For a call without arguments. */
export const nothing: Plain<undefined> = {
  problem: (value) => (value === undefined ? undefined : ` must be absent, not ${kindOf(value)}`),
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}

/** Shortened, because a value that a caller sent may be long, and may be secret. */
function quoted(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)
}
