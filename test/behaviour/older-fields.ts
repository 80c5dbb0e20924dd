import type { JsonSchema } from '../../src/trusted/catalogue/shape.ts'
import type { JsonAnswer } from '../support/service.ts'

/** The same value without the fields that this schema does not have. */
export function onlyFieldsOf(schema: JsonSchema, value: JsonAnswer): JsonAnswer {
  const { properties, items } = schema
  if (Array.isArray(value)) return value.map((item) => onlyFieldsOf(asSchema(items), item))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const known = asSchema(properties)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name in known)
      .map(([name, inner]) => [name, onlyFieldsOf(asSchema(known[name]), inner)]),
  )
}

/** A user whose API keys are named as before there were several curves. */
export function onP256({ apiKeys, ...user }: JsonAnswer): JsonAnswer {
  const publicKey = '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'
  return { ...user, apiKeys: apiKeys.map(({ apiKeyName }: JsonAnswer) => ({ apiKeyName, publicKey })) }
}

export function without(name: string): (from: JsonAnswer) => JsonAnswer {
  return (object) => Object.fromEntries(Object.entries(object).filter(([field]) => field !== name))
}

function asSchema(value: unknown): JsonSchema {
  return (value ?? {}) as JsonSchema // a schema holds schemas under these names
}
