import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { Failure } from '../../src/trusted/base/failure.ts'
import { object, type Shape } from '../../src/trusted/catalogue/shape.ts'
import { activitiesByType, readSubmission } from '../../src/trusted/catalogue/submission.ts'
import { queries } from '../../src/host/queries/list.ts'
import { declared } from './empty-values.ts'

/** Every field of every request, by shape: none needs a service. */
type Place = { readonly at: string; readonly name: string; readonly field: Shape<unknown> }

const requests: readonly { readonly at: string; readonly shape: Shape<unknown> }[] = [
  ...activities.flatMap(({ forms }) => forms.map(({ type, intent }) => ({ at: type, shape: intent }))),
  ...queries.map(({ operation, request }) => ({ at: operation, shape: request })),
]
const places = requests.flatMap(({ at, shape }) => [...placesIn(shape, at)])
const optional = places.filter(({ field }) => field.isOptional === true || field.otherwise !== undefined)
const UNSET = [null, '', []]

test('which optional fields are given by an empty value is declared, and written down with the reason', () => {
  const given = optional
    .filter(({ field }) => field.isEmptyGiven === true && hasEmptyValue(field))
    .map(({ at, name }) => `${at}.${name}`)
  const undeclared = given.filter((place) => !declared.some(({ like }) => like.test(place)))
  assert.deepEqual(undeclared, [])
  for (const { like, why } of declared)
    assert.ok(
      given.some((place) => like.test(place)),
      `no longer so: ${like} (${why})`,
    )
  assert.ok(optional.length > 300, `${optional.length} optional fields`)
})

test('an optional field is left out by null, and by what is empty unless that is declared to be a value', () => {
  for (const { at, name, field } of optional) {
    const shape = object({ [name]: field })
    const absent = outcome(shape, {})
    for (const unset of UNSET) {
      const isGiven = unset !== null && field.isEmptyGiven === true
      const expected = isGiven ? outcome(field, unset, name) : absent
      const got = outcome(shape, { [name]: unset })
      assert.deepEqual(
        isGiven && 'value' in got ? { value: valueOf(got, name) } : got,
        expected,
        `${at}.${name}`,
      )
    }
  }
})

test('a field that has to be there is missing without a value, and an empty one is for its shape to judge', () => {
  for (const { at, name, field } of places.filter((place) => !optional.includes(place))) {
    const shape = object({ [name]: field })
    const missing = outcome(shape, {})
    assert.match(String(Object.values(missing)), /missing field|missing wallet params/, `${at}.${name}`)
    assert.deepEqual(outcome(shape, { [name]: null }), missing)
    for (const empty of ['', []]) {
      const got = outcome(shape, { [name]: empty })
      const expected = outcome(field, empty, name)
      assert.deepEqual('value' in got ? { value: valueOf(got, name) } : got, expected, `${at}.${name}`)
    }
  }
})

test('a field in snake_case comes to what it comes to in camelCase, and never beside it', () => {
  const values = [null, '', [], 'x', '1', 0, true, {}, ['x'], [{}], '0198c5a0-7d3c-7000-8000-000000000001']
  const spelled = places.filter(({ name }) => inSnakeCase(name) !== name)
  assert.ok(spelled.length > 600, `${spelled.length} fields`)
  for (const { at, name, field } of spelled) {
    const shape = object({ [name]: field })
    for (const value of values) {
      assert.deepEqual(
        outcome(shape, { [inSnakeCase(name)]: value }),
        outcome(shape, { [name]: value }),
        `${at}.${name}`,
      )
      const both = outcome(shape, { [name]: value, [inSnakeCase(name)]: value })
      assert.match(String(Object.values(both)), /is given twice/, `${at}.${name}`)
    }
  }
})

const types = activitiesByType(activities)
const envelope = { timestampMs: '1700000000000', organizationId: '0198c5a0-7d3c-7000-8000-000000000009' }

for (const { operation, forms, example } of activities) {
  const { type, intent: shape } = present(forms.at(-1), 'a newest form')
  // An example is a value of JSON.
  const intent = JSON.parse(JSON.stringify(example.intent)) as Json
  const usual = read({ type, ...envelope, parameters: intent })

  test(`${operation}: its whole request is the same in every spelling and with everything unset`, () => {
    const body = { type, ...envelope, parameters: intent }
    for (const other of [
      renamed(body, inSnakeCase),
      { ...body, parameters: filled(intent, shape, () => null) },
      { ...body, parameters: filled(intent, shape, () => '') },
      { ...body, parameters: filled(intent, shape, () => []) },
      renamed({ ...body, parameters: filled(intent, shape, () => null) }, inSnakeCase),
      ...UNSET.map((unset) => strewn(body, { somethingNewer: unset, something_else: unset })),
    ])
      assert.deepEqual(read(other), usual, JSON.stringify(other))
  })

  test(`${operation}: a field that is not known and has a value is refused at every depth`, () => {
    for (const body of strewnSingly({ type, ...envelope, parameters: intent }, { somethingNewer: false }))
      assert.match(
        refusalOf(body),
        /^invalid request body: field `[^`]*somethingNewer` is not a field of this request$/,
      )
  })

  test(`${operation}: no field is given in both spellings, at any depth`, () => {
    for (const body of doubled({ type, ...envelope, parameters: intent }))
      assert.match(refusalOf(body), /given twice/)
  })
}

/** An object and a flag have none. */
function hasEmptyValue({ schema: { type } }: Shape<unknown>): boolean {
  return type !== 'object' && type !== 'boolean'
}

type Json = string | number | boolean | null | readonly Json[] | JsonRecord
type JsonRecord = { readonly [name: string]: Json }

function* placesIn(shape: Shape<unknown>, at: string): Generator<Place> {
  if (shape.item !== undefined) yield* placesIn(shape.item, `${at}[]`)
  for (const [name, field] of Object.entries(shape.fields ?? {})) {
    yield { at, name, field }
    yield* placesIn(field, `${at}.${name}`)
  }
}

type Outcome = { readonly value: unknown } | { readonly refusal: string }

function outcome(shape: Shape<unknown>, sent: unknown, at = ''): Outcome {
  try {
    return { value: shape.read(sent, at, 'lenient') }
  } catch (error) {
    if (error instanceof Failure) return { refusal: error.message }
    throw error
  }
}

function valueOf(read: { readonly value: unknown }, name: string): unknown {
  return (read.value as Record<string, unknown>)[name] // what an object of one field was read to
}

function read(body: Json): object {
  const { type, intent, newest, organizationId, timestampMs } = readSubmission(JSON.stringify(body), types)
  return { type, intent, newest, organizationId, timestampMs }
}

function refusalOf(body: Json): string {
  try {
    read(body)
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
  return 'none'
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function isRecord(value: Json): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The same with every object in it made anew, inner ones first. */
function mapped(value: Json, change: (item: JsonRecord) => JsonRecord): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mapped(item, change))
  if (!isRecord(value)) return value
  return change(
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, change)])),
  )
}

function renamed(value: Json, rename: (name: string) => string): Json {
  return mapped(value, (item) =>
    Object.fromEntries(Object.entries(item).map(([name, inner]) => [rename(name), inner])),
  )
}

function strewn(value: Json, more: JsonRecord): Json {
  return mapped(value, (item) => ({ ...item, ...more }))
}

/** Each with one object of it changed. */
function* singly(value: Json, change: (item: JsonRecord) => readonly JsonRecord[]): Generator<Json> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries())
      for (const other of singly(item, change)) yield value.with(index, other)
  if (!isRecord(value)) return
  yield* change(value)
  for (const [name, inner] of Object.entries(value))
    for (const other of singly(inner, change)) yield { ...value, [name]: other }
}

function strewnSingly(value: Json, more: JsonRecord): Iterable<Json> {
  return singly(value, (item) => [{ ...item, ...more }])
}

function doubled(value: Json): Iterable<Json> {
  return singly(value, (item) =>
    Object.entries(item)
      .filter(([name]) => inSnakeCase(name) !== name)
      .map(([name, inner]) => ({ ...item, [inSnakeCase(name)]: inner })),
  )
}

/**
 * With every field that may be left out, and was, unset in this way; what counts an empty value as given is left alone
 * unless it is null.
 */
function filled(value: Json, shape: Shape<unknown>, unset: () => Json): Json {
  const { item, fields } = shape
  if (Array.isArray(value))
    return item === undefined ? value : value.map((entry: Json) => filled(entry, item, unset))
  if (!isRecord(value) || fields === undefined) return value
  const entries = Object.entries(fields).flatMap(([name, field]): readonly (readonly [string, Json])[] => {
    const given = value[name]
    if (given !== undefined) return [[name, filled(given, field, unset)]]
    if (field.isOptional !== true && field.otherwise === undefined) return []
    return field.isEmptyGiven === true && unset() !== null ? [] : [[name, unset()]]
  })
  return Object.fromEntries(entries)
}
