import type { JsonSchema } from './shape.ts'

/** One field of a shape: `users[].apiKeys[].curveType`, what it holds, and whether it may be left out. */
export type Field = { readonly path: string; readonly holds: string; readonly isRequired: boolean }

/** Every field of an object's schema, outer ones before inner ones, in the order in which they were declared. */
export function fieldsOf(schema: JsonSchema, prefix = ''): readonly Field[] {
  const properties = objectOf(schema['properties'])
  const required = listOf(schema['required'])
  return Object.entries(properties).flatMap(([name, value]) => {
    const inner = objectOf(value)
    const item = inner['type'] === 'array' ? objectOf(inner['items']) : inner
    const path = `${prefix}${name}${item === inner ? '' : '[]'}`
    const field = { path, holds: holds(inner), isRequired: required.includes(name) }
    return [field, ...fieldsOf(item, `${path}.`)]
  })
}

function holds(schema: JsonSchema): string {
  const { type } = schema
  if (type === 'array') {
    const max = Number(schema['maxItems'])
    return `list of ${holds(objectOf(schema['items']))}, ${range(schema['minItems'], max < Number.MAX_SAFE_INTEGER ? max : undefined)}`
  }
  const choices = listOf(schema['anyOf'])
  if (choices.length > 0) return choices.map((choice) => holds(objectOf(choice))).join(', or ')
  const options = listOf(schema['enum'])
  if (options.length > 0) return options.map((option) => `\`${String(option)}\``).join(', ')
  if (schema['format'] === 'uuid') return 'UUID'
  if (schema['format'] === 'email') return 'e-mail address'
  if (schema['format'] === 'phone') return 'phone number (E.164)'
  if (schema['maxLength'] === 0) return 'empty text'
  if (schema['pattern'] !== undefined) return `text matching \`${String(schema['pattern'])}\``
  if (type === 'string') {
    const max = Number(schema['maxLength'])
    return max < Number.MAX_SAFE_INTEGER ? `text, ${range(schema['minLength'], max)} characters` : 'text'
  }
  if (type === 'integer') return 'whole number'
  return type === 'boolean' ? 'true or false' : 'object'
}

function range(min: unknown, max: unknown): string {
  const least = min === undefined ? 0 : Number(min)
  if (max === undefined) return least === 0 ? 'any number' : `at least ${least}`
  return least === Number(max) ? `exactly ${least}` : `${least} to ${Number(max)}`
}

function objectOf(value: unknown): JsonSchema {
  // A schema is a plain object of JSON wherever `object`, `list` and `oneOf` made it.
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
