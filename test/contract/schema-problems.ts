import { isUuid } from '../../src/trusted/base/ids.ts'
import { isObject } from '../../src/trusted/base/plain.ts'
import type { JsonSchema } from '../../src/trusted/catalogue/shape.ts'

/**
 * What keeps a JSON value from conforming to a schema of our OpenAPI document: a line for each fault, none where it
 * conforms. It knows the part of JSON Schema 2020-12 that the document uses, and throws at any other keyword, so that
 * nothing is passed over.
 */
export function schemaProblems(schemas: Schemas, schema: JsonSchema, value: unknown, at: string): Problems {
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    const check = keywords[keyword]
    if (check === undefined) throw new Error(`${at}: the keyword ${keyword} is not known here`)
    return check({ schemas, schema, rule, value, at })
  })
}

export type Schemas = { readonly [name: string]: JsonSchema }
type Problems = readonly string[]
type Check = (of: {
  readonly schemas: Schemas
  readonly schema: JsonSchema
  readonly rule: unknown
  readonly value: unknown
  readonly at: string
}) => Problems

const keywords: Readonly<Record<string, Check>> = {
  title: () => [],
  default: () => [],
  description: () => [],
  discriminator: () => [],
  required: () => [],
  additionalProperties: () => [],
  $ref: ({ schemas, rule, value, at }) => schemaProblems(schemas, resolved(schemas, rule), value, at),
  type: ({ rule, value, at }) =>
    isOfType(rule, value) ? [] : [`${at} is no ${String(rule)}: ${shown(value)}`],
  const: ({ rule, value, at }) => (value === rule ? [] : [`${at} is not ${String(rule)}: ${shown(value)}`]),
  enum: ({ rule, value, at }) =>
    Array.isArray(rule) && rule.includes(value) ? [] : [`${at} is none of the enum: ${shown(value)}`],
  properties: ({ schemas, schema, rule, value, at }) =>
    isObject(value) && isObject(rule) ? objectProblems(schemas, schema, { rule, value, at }) : [],
  items: ({ schemas, rule, value, at }) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => schemaProblems(schemas, schemaIn(rule), item, `${at}[${index}]`))
      : [],
  anyOf: (of) => (choices(of).some((problems) => problems.length === 0) ? [] : [`${of.at} is none of anyOf`]),
  oneOf: (of) => {
    const all = choices(of)
    const fitting = all.filter((problems) => problems.length === 0).length
    return fitting === 1 ? [] : [`${of.at} is ${fitting} of oneOf: ${shown(all)}`]
  },
  minLength: bound((value, rule) => typeof value !== 'string' || Array.from(value).length >= rule),
  maxLength: bound((value, rule) => typeof value !== 'string' || Array.from(value).length <= rule),
  minItems: bound((value, rule) => !Array.isArray(value) || value.length >= rule),
  maxItems: bound((value, rule) => !Array.isArray(value) || value.length <= rule),
  uniqueItems: ({ value, at }) => {
    const isUnique = !Array.isArray(value) || new Set(value.map(shown)).size === value.length
    return isUnique ? [] : [`${at} has something twice: ${shown(value)}`]
  },
  minimum: bound((value, rule) => typeof value !== 'number' || value >= rule),
  maximum: bound((value, rule) => typeof value !== 'number' || value <= rule),
  minProperties: bound((value, rule) => !isObject(value) || Object.keys(value).length >= rule),
  maxProperties: bound((value, rule) => !isObject(value) || Object.keys(value).length <= rule),
  pattern: ({ rule, value, at }) =>
    typeof value !== 'string' || new RegExp(String(rule), 'u').test(value)
      ? []
      : [`${at} does not match ${String(rule)}: ${shown(value)}`],
  format: ({ rule, value, at }) => {
    const isFine = formats[String(rule)]
    if (isFine === undefined) throw new Error(`${at}: the format ${String(rule)} is not known here`)
    return isFine(value) ? [] : [`${at} is no ${String(rule)}: ${shown(value)}`]
  },
}

const formats: Readonly<Record<string, (value: unknown) => boolean>> = {
  uuid: (value) => typeof value !== 'string' || isUuid(value),
  'date-time': (value) =>
    typeof value !== 'string' || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
  email: (value) => typeof value !== 'string' || /^[^@\s]+@[^@\s]+$/.test(value),
  phone: () => true,
  int32: (value) => typeof value !== 'number' || (value | 0) === value,
  int64: (value) => typeof value !== 'number' || Number.isSafeInteger(value),
  uint64: (value) => typeof value !== 'string' || /^\d+$/.test(value),
}

function objectProblems(
  schemas: Schemas,
  schema: JsonSchema,
  of: { readonly rule: JsonSchema; readonly value: JsonSchema; readonly at: string },
): Problems {
  const { rule, value, at } = of
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, one]) => {
      if (Object.hasOwn(rule, name))
        return schemaProblems(schemas, schemaIn(rule[name]), one, `${at}.${name}`)
      return schema['additionalProperties'] === false ? [`${at}.${name} is not described`] : []
    }),
  ]
}

function choices({ schemas, rule, value, at }: Parameters<Check>[0]): readonly Problems[] {
  if (!Array.isArray(rule)) throw new Error(`${at}: choices are a list`)
  return rule.map((item) => schemaProblems(schemas, schemaIn(item), value, at))
}

function bound(isWithin: (value: unknown, rule: number) => boolean): Check {
  return ({ rule, value, at }) =>
    isWithin(value, Number(rule)) ? [] : [`${at} is not within ${String(rule)}: ${shown(value)}`]
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

export function resolved(schemas: Schemas, reference: unknown): JsonSchema {
  const name = String(reference).replace('#/components/schemas/', '')
  const schema = schemas[name]
  if (schema === undefined) throw new Error(`there is no schema ${String(reference)}`)
  return schema
}

function schemaIn(value: unknown): JsonSchema {
  if (!isObject(value)) throw new Error(`${shown(value)} is no schema`)
  return value
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200)
}
