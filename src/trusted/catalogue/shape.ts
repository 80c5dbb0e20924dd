import { defineFailure, type Failure, INVALID_ARGUMENT } from '../base/failure.ts'
import { isUuid } from '../base/ids.ts'
import { isObject } from '../base/plain.ts'
import { firstUnknown, inOneSpelling, isUnset, spellingsOf } from './spelling.ts'

/**
 * The shape of a part of a request: it reads a JSON value into a type, and describes itself in JSON Schema. It refuses
 * everything that it does not describe. `null` counts as absent, because published clients send it so.
 */
export type Shape<T> = {
  readonly read: (value: unknown, at: string, reading: Reading) => T
  readonly schema: JsonSchema
  readonly isOptional?: true
  /** In a request, an empty text or list does not leave this field out. */
  readonly isEmptyGiven?: true
  /** The value of an absent field. */
  readonly otherwise?: { readonly value: T }
  /** The fields of an object. */
  readonly fields?: { readonly [name: string]: Shape<unknown> }
  /** The items of a list. */
  readonly item?: Shape<unknown>
}

/**
 * A request is read leniently, as generated clients of every language write it: names in camelCase or snake_case, and
 * unset fields, known or not, as nothing, `null`, `""` or `[]`. All of these give the same value. Everything else, such
 * as the files of an operator, is read strictly. See docs/decisions/unset-fields.md.
 */
type Reading = 'strict' | 'lenient'

export type JsonSchema = { readonly [key: string]: unknown }

export type TypeOf<S> = S extends Shape<infer T> ? T : never

type Fields = { readonly [name: string]: Shape<unknown> }
type OptionalNames<F extends Fields> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F]
type Optional<T> = Shape<T> & { readonly isOptional: true }
type ObjectOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: TypeOf<F[K]>
} & { readonly [K in OptionalNames<F>]?: TypeOf<F[K]> }

export const invalidField = defineFailure<{ readonly field: string; readonly problem: string }>({
  kind: 'invalidField',
  code: INVALID_ARGUMENT,
  say: ({ field, problem }) =>
    problem === MISSING
      ? `invalid request body: missing field \`${field}\``
      : `invalid request body: field \`${field}\` ${problem}`,
  details: ({ field, problem }) => [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field, description: problem }],
    },
  ],
})

const MISSING = 'is required'
/** The name of a value that is no field of anything. */
const WHOLE = 'body'

export function object<F extends Fields>(
  fields: F,
  missing: (field: string) => Failure = fieldMissing,
): Shape<ObjectOf<F>> {
  const names = Object.keys(fields)
  const spellings = spellingsOf(names)
  const read = (sent: unknown, at: string, reading: Reading): ObjectOf<F> => {
    if (!isObject(sent))
      throw invalidField({
        field: at === '' ? WHOLE : at,
        problem: `must be an object, not ${shown(sent)}`,
      })
    const isAsDeclared = firstUnknown(sent, spellings) === undefined
    const value = isAsDeclared || reading === 'strict' ? sent : inOneSpelling(sent, spellings, at)
    const result: Record<string, unknown> = {}
    for (const name in fields) {
      const shape = fields[name]
      if (shape === undefined) continue
      const given = value[name]
      const field = at === '' ? name : `${at}.${name}`
      if (!isAbsent(given, shape, reading)) result[name] = shape.read(given, field, reading)
      else if (shape.otherwise !== undefined) result[name] = shape.otherwise.value
      else if (shape.isOptional !== true) throw missing(field)
    }
    const unknown = isAsDeclared ? undefined : firstUnknown(value, spellings)
    if (unknown !== undefined)
      throw invalidField({
        field: at === '' ? unknown : `${at}.${unknown}`,
        problem: 'is not a field of this request',
      })
    // Each declared field was read by its own shape, and nothing else was copied.
    return result as ObjectOf<F>
  }
  const required = names.filter((name) => !mayBeAbsent(fields[name]))
  const properties = Object.fromEntries(names.map((name) => [name, fields[name]?.schema]))
  return { read, schema: { type: 'object', properties, required, additionalProperties: false }, fields }
}

function fieldMissing(field: string): Failure {
  return invalidField({ field, problem: MISSING })
}

function mayBeAbsent(shape: Shape<unknown> | undefined): boolean {
  return shape?.isOptional === true || shape?.otherwise !== undefined
}

function isAbsent(given: unknown, shape: Shape<unknown>, reading: Reading): boolean {
  if (given === undefined || given === null) return true
  return reading === 'lenient' && isUnset(given) && mayBeAbsent(shape) && shape.isEmptyGiven !== true
}

/**
 * A field that may be left out. In a request, `""` or `[]` also leaves it out: many clients write these for an unset
 * field. A field with `emptyIsGiven` is different. Its empty value means something of its own, such as a contact that
 * is to be removed. Or an absent value would give more than the sender of an empty one may have meant, such as a key
 * without an end, and the empty value is refused.
 */
export function optional<T>(shape: Shape<T>, empty?: 'emptyIsGiven'): Optional<T> {
  // No client writes an object or a flag as an empty text or list; a flag would be false by a typing error.
  const hasNone = shape.schema['type'] === 'object' || shape.schema['type'] === 'boolean'
  return { ...shape, isOptional: true, ...(empty === undefined && !hasNone ? {} : { isEmptyGiven: true }) }
}

/** A field that has this value where a request leaves it out. */
export function otherwise<T>(shape: Shape<T>, value: T): Shape<T> {
  return { ...shape, schema: { ...shape.schema, default: value }, otherwise: { value } }
}

export function list<T>(
  item: Shape<T>,
  bounds: { readonly min?: number; readonly max: number },
): Shape<readonly T[]> {
  const min = bounds.min ?? 0
  return {
    read: (value, at, reading) => {
      if (!Array.isArray(value))
        throw invalidField({ field: at, problem: `must be a list, not ${shown(value)}` })
      if (value.length < min)
        throw invalidField({ field: at, problem: `must have at least ${min} entries, not ${value.length}` })
      if (value.length > bounds.max)
        throw invalidField({
          field: at,
          problem: `must have at most ${bounds.max} entries, not ${value.length}`,
        })
      return value.map((entry, index) => item.read(entry, `${at}[${index}]`, reading))
    },
    schema: { type: 'array', items: item.schema, minItems: min, maxItems: bounds.max },
    item,
  }
}

/** Text of at most `max` UTF-16 units. */
export function text(bounds: { readonly min?: number; readonly max: number }): Shape<string> {
  const min = bounds.min ?? 0
  return {
    read: (value, at) => {
      if (typeof value !== 'string')
        throw invalidField({ field: at, problem: `must be a string, not ${shown(value)}` })
      if (value.length < min)
        throw invalidField({
          field: at,
          problem: min === 1 ? 'must not be empty' : `must have at least ${min} characters`,
        })
      if (value.length > bounds.max)
        throw invalidField({
          field: at,
          problem: `must have at most ${bounds.max} characters, not ${value.length}`,
        })
      return value
    },
    schema: { type: 'string', minLength: min, maxLength: bounds.max },
  }
}

const LABEL_CHARACTERS_MAX = 255

/** A name that people read: 1 to 255 characters, no control characters, not only spaces. */
export const label: Shape<string> = refined(text({ min: 1, max: LABEL_CHARACTERS_MAX }), {
  problem: (value) =>
    /\p{Cc}/u.test(value)
      ? 'must not contain control characters'
      : value.trim() === ''
        ? 'must not be blank'
        : undefined,
})

export const uuid: Shape<string> = refined(text({ max: 64 }), {
  problem: (value) => (isUuid(value) ? undefined : `must be a UUID in lowercase, not ${shown(value)}`),
  schema: { format: 'uuid', minLength: 36, maxLength: 36 },
})

/**
 * The id of the organization addressed. A text that is no UUID is refused where it is looked up, in words that
 * published clients know.
 */
export const organizationIdText: Shape<string> = { ...text({ max: 64 }), schema: uuid.schema }

export const boolean: Shape<boolean> = {
  read: (value, at) => {
    if (typeof value !== 'boolean')
      throw invalidField({ field: at, problem: `must be true or false, not ${shown(value)}` })
    return value
  },
  schema: { type: 'boolean' },
}

export const int32: Shape<number> = {
  read: (value, at) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < -(2 ** 31) || value >= 2 ** 31)
      throw invalidField({ field: at, problem: `must be a whole number of 32 bits, not ${shown(value)}` })
    return value
  },
  schema: { type: 'integer', format: 'int32' },
}

/**
 * A whole number that JSON carries exactly; as a number, or as the decimal digits that some clients make of 64 bits.
 */
export const int64: Shape<number> = {
  read: (value, at) => {
    const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isSafeInteger(number))
      throw invalidField({ field: at, problem: `must be a whole number, not ${shown(value)}` })
    return number
  },
  schema: { type: 'integer', format: 'int64' },
}

export function oneOf<const V extends string>(values: readonly V[]): Shape<V> {
  const known = new Set<string>(values)
  return {
    read: (value, at) => {
      if (typeof value !== 'string' || !known.has(value))
        throw invalidField({ field: at, problem: `must be one of ${values.join(', ')}, not ${shown(value)}` })
      // It is one of `values`, as was just looked up.
      return value as V
    },
    schema: { type: 'string', enum: values },
  }
}

/** The same shape with one more rule; `problem` completes the sentence "field x …". */
export function refined<T>(
  shape: Shape<T>,
  rule: { readonly problem: (value: T) => string | undefined; readonly schema?: JsonSchema },
): Shape<T> {
  return {
    ...shape,
    read: (value, at, reading) => {
      const known = shape.read(value, at, reading)
      const problem = rule.problem(known)
      if (problem !== undefined) throw invalidField({ field: at === '' ? WHOLE : at, problem })
      return known
    },
    schema: { ...shape.schema, ...rule.schema },
  }
}

/** The same shape, which stands under a name of its own in the description of the interface. */
export function named<T>(title: string, shape: Shape<T>): Shape<T> {
  return { ...shape, schema: { ...shape.schema, title } }
}

/** A value that was sent, short enough to be quoted in a message. */
export function shown(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const quoted = JSON.stringify(value) ?? typeof value
  return quoted.length > 80 ? `${quoted.slice(0, 77)}…` : quoted
}
