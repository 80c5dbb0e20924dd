import { assert } from '../base/assert.ts'
import type { Activity } from './activity.ts'
import type { Form } from './form.ts'
import { recordSchemas } from './openapi-record.ts'
import type { Query } from './query.ts'
import type { JsonSchema } from './shape.ts'
import { envelopeShape } from './submission.ts'

/** The interface as an OpenAPI 3.1 document: a function of the two lists, and of nothing else. */
export function openApiDocument(activities: readonly Activity[], queries: readonly Query[]): object {
  const paths = [
    ...activities.map((activity) => [`/public/v1/submit/${activity.operation}`, submitPath(activity)]),
    ...queries.map((query) => [`/public/v1/query/${query.operation}`, queryPath(query)]),
  ]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Claviger',
      version: '1',
      description:
        'Every change is a signed, policy-checked, durable activity. What is unset in a request may be left out, or be null, "" or [].',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ stamp: [] }, { passkeyStamp: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes,
      schemas: { ...recordSchemas, ...formSchemas(activities) },
      responses: {
        refused: {
          description: 'What was wrong with the request. The status follows from the code.',
          content: json({ $ref: '#/components/schemas/Error' }),
        },
      },
    },
  }
}

const securitySchemes = {
  stamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Stamp',
    description: 'base64url of a JSON object with publicKey, scheme and the signature over the exact body',
  },
  passkeyStamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Stamp-WebAuthn',
    description: 'The JSON of a WebAuthn assertion whose challenge is the SHA-256 of the exact body, in hex',
  },
}

function submitPath({ operation, summary, forms, resource }: Activity): object {
  const record = {
    type: 'object',
    required: ['activity'],
    properties: { activity: { oneOf: forms.map(recordOf) } },
  }
  return postOf({ operation, summary, tag: resource, request: { oneOf: forms.map(envelopeOf) }, record })
}

function queryPath({ operation, summary, request, response }: Query): object {
  return postOf({
    operation,
    summary,
    tag: 'QUERY',
    request: plain(request.schema),
    record: plain(response.schema),
  })
}

function postOf(of: {
  readonly operation: string
  readonly summary: string
  readonly tag: string
  readonly request: object
  readonly record: object
}): object {
  return {
    post: {
      operationId: of.operation,
      summary: of.summary,
      tags: [of.tag],
      requestBody: { required: true, content: json(of.request) },
      responses: {
        '200': { description: 'Done, or waiting for approvals', content: json(of.record) },
        default: { $ref: '#/components/responses/refused' },
      },
    },
  }
}

function json(schema: object): object {
  return { 'application/json': { schema } }
}

/** The envelope with the parameters of one published version in it. */
function envelopeOf(form: Form): JsonSchema {
  // `object()` describes itself with its properties.
  const { properties } = envelopeShape.schema as { readonly properties: object }
  return {
    ...envelopeShape.schema,
    properties: { ...properties, type: { const: form.type }, parameters: refTo(form.intentKey) },
  }
}

/** The record of an activity of one version. The result is absent until it is completed. */
function recordOf({ type, intentKey, resultKey }: Form): JsonSchema {
  const intent = { type: 'object', required: [intentKey], properties: { [intentKey]: refTo(intentKey) } }
  const result = { type: 'object', properties: { [resultKey]: refTo(resultKey) } }
  return {
    allOf: [
      { $ref: '#/components/schemas/Activity' },
      { properties: { type: { const: type }, intent, result } },
    ],
  }
}

function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function formSchemas(activities: readonly Activity[]): { readonly [name: string]: JsonSchema } {
  const schemas: Record<string, JsonSchema> = {}
  for (const { forms } of activities) {
    for (const form of forms) {
      add(schemas, form.intentKey, plain(form.intent.schema))
      add(schemas, form.resultKey, plain(form.result.schema))
    }
  }
  return schemas
}

/** Several versions may share the name of a result; it must then be the same one. */
function add(schemas: Record<string, JsonSchema>, name: string, schema: JsonSchema): void {
  const known = schemas[name]
  assert(known === undefined || JSON.stringify(known) === JSON.stringify(schema), `${name} has one shape`)
  schemas[name] = schema
}

/** A bound that nothing reaches is none. */
function plain(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key: string, value: unknown) =>
    key === 'maxItems' && value === Number.MAX_SAFE_INTEGER ? undefined : value,
  )
  // It was an object before.
  return JSON.parse(text) as JsonSchema
}
