import type { JsonSchema } from '../../src/trusted/catalogue/shape.ts'

const NOBODY = '0198c5a0-7d3c-7000-8000-00000000dead'

const texts = ['', ' ', 'x', NOBODY, '0', '-1', '1', 'x'.repeat(300), 'é\u0000', "'", '{}', '__proto__']
const numbers = [0, -1, 1, 2, 101, 2 ** 31 - 1, 1.5]

/** The request with one thing about it changed, each in turn. Whether the change makes it wrong is not said. */
export function* variants(good: unknown, schema: JsonSchema): Generator<object> {
  for (const variant of changed(good, schema)) {
    if (typeof variant === 'object' && variant !== null) yield variant
  }
}

function* changed(value: unknown, schema: JsonSchema): Generator<unknown> {
  if (Array.isArray(value)) yield* changedList(value, part(schema, 'items'))
  else if (typeof value === 'object' && value !== null) yield* changedObject(value, schema)
  else if (typeof value === 'string') {
    yield* texts
    yield* options(schema)
    yield value.toUpperCase()
    yield `${value}0`
    yield value.slice(1)
  } else if (typeof value === 'number') yield* numbers
  else if (typeof value === 'boolean') yield !value
}

function* changedList(value: readonly unknown[], items: JsonSchema): Generator<unknown> {
  yield []
  yield [...value, ...value]
  yield Array.from({ length: 101 }, () => value[0])
  for (const [index, item] of value.entries())
    for (const variant of changed(item, items)) yield value.with(index, variant)
  // Where the good request has none, an entry that names nobody.
  if (value.length === 0) yield [NOBODY]
}

function* changedObject(value: object, schema: JsonSchema): Generator<unknown> {
  for (const [name, inner] of Object.entries(value)) {
    const { [name]: _, ...rest } = { ...value } as Record<string, unknown> // an object of JSON
    yield rest
    for (const variant of changed(inner, part(part(schema, 'properties'), name)))
      yield { ...value, [name]: variant }
  }
  for (const [name, inner] of Object.entries(part(schema, 'properties'))) {
    if (Object.hasOwn(value, name)) continue
    const absent = inner as JsonSchema // as `object()` writes it
    for (const given of [...texts, ...options(absent), ...numbers, true, []])
      yield { ...value, [name]: given }
  }
}

function options(schema: JsonSchema): readonly unknown[] {
  const values = schema['enum']
  return Array.isArray(values) ? values : []
}

function part(schema: JsonSchema, name: string): JsonSchema {
  return (schema[name] ?? {}) as JsonSchema // a schema holds schemas under these names
}
