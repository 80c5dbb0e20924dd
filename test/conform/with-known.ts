import { documented } from '../contract/documented.ts'

/**
 * The document with ids that there are, and the time, in its requests: without them everything would be refused. The
 * parameters of an activity are taken into its request, because answers refer to the same schema.
 */
export function withKnown(values: { readonly [field: string]: string }): string {
  const schemas = new Map(Object.entries(documented.components.schemas))
  const known = (name: string, schema: unknown): unknown => {
    if (name in values) return { type: 'string', const: values[name] }
    if (name !== 'parameters' || !isReference(schema)) return schema
    return schemas.get(schema.$ref.slice('#/components/schemas/'.length))
  }
  return JSON.stringify(documented, (key, value: unknown) => {
    const isRequest = key === 'requestBody' || key.endsWith('Request')
    return isRequest ? JSON.parse(JSON.stringify(value, known)) : value
  })
}

function isReference(schema: unknown): schema is { readonly $ref: string } {
  return typeof schema === 'object' && schema !== null && '$ref' in schema
}
