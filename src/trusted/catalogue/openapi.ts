import type { Activity } from './activity.ts'
import { type Form, pascalOf } from './form.ts'
import { refusalResponses, refusals } from './openapi-refusals.ts'
import { addRecordSchemas, nameOfRecord, recordOf } from './openapi-record.ts'
import { NamedSchemas, refTo } from './openapi-schemas.ts'
import type { Query } from './query.ts'
import { isObject, type JsonSchema } from './shape.ts'
import { envelopeShape } from './submission.ts'

/**
 * The interface as an OpenAPI 3.1 document: a function of the two lists, and of nothing else. It describes requests as they
 * should be written. It leaves out further spellings that are read, such as `null` for an absent field.
 */
export function openApiDocument(activities: readonly Activity[], queries: readonly Query[]): object {
  const schemas = new NamedSchemas()
  addRecordSchemas(schemas, activities)
  const paths = [
    ...activities.map((activity) => [
      `/public/v1/submit/${activity.operation}`,
      submitPath(activity, schemas),
    ]),
    ...queries.map((query) => [`/public/v1/query/${query.operation}`, queryPath(query, schemas)]),
  ]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Claviger',
      version: '1',
      description:
        'Every change is a signed, policy-checked, durable activity. An unset field of a request may be left out, or be null, "" or [].',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that this document was read from' }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes, schemas: schemas.all(), responses: refusalResponses },
  }
}

const securitySchemes = {
  stamp: header(
    'X-Stamp',
    'base64url of a JSON object with publicKey, scheme and the signature over the exact body',
  ),
  passkeyStamp: header(
    'X-Stamp-WebAuthn',
    'The JSON of a WebAuthn assertion whose challenge is the SHA-256 of the exact body, in hex',
  ),
  attestedStamp: header(
    'X-Stamp-Attested',
    'base64url of a JSON object with a verification or identity token and a signature over the exact body',
  ),
  readOnlySession: header('X-Session', 'The token of a read-only session'),
}

function header(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description }
}

function submitPath(activity: Activity, schemas: NamedSchemas): object {
  const { operation, summary, forms, resource, example, vote, attestable } = activity
  for (const form of forms) {
    schemas.add(form.intentKey, form.intent.schema)
    schemas.add(form.resultKey, form.result.schema)
  }
  const requests = forms.map(
    (form) => [form.type, schemas.add(nameOfRequest(form), envelopeOf(form))] as const,
  )
  const recorded = (form: Form) => [form.type, schemas.add(nameOfRecord(form), recordOf(form))] as const
  // A vote is answered with the activity that it is about, which may be of any type.
  const record = vote === undefined ? byType(forms.map(recorded)) : refTo('Activity')
  const newest = forms.at(-1)?.type
  return postOf({
    operation,
    summary,
    tag: resource,
    stamps: attestable === true ? ['stamp', 'passkeyStamp', 'attestedStamp'] : ['stamp', 'passkeyStamp'],
    request: byType(requests),
    example: { type: newest, ...exampleEnvelope, parameters: example.intent },
    answered: 'The activity: carried out, waiting for approvals, or failed after it was approved',
    answer: {
      type: 'object',
      properties: { activity: record },
      required: ['activity'],
      additionalProperties: false,
    },
  })
}

const organizationId = '0195f3c1-7d6e-7a41-9b2e-5f0c8a1d3e47'

const exampleEnvelope = { timestampMs: '1767225600000', organizationId }

function queryPath({ operation, summary, request, response, example }: Query, schemas: NamedSchemas): object {
  return postOf({
    operation,
    summary,
    tag: 'QUERY',
    stamps: ['stamp', 'passkeyStamp', 'readOnlySession'],
    request: schemas.described(request.schema),
    example: { organizationId, ...example },
    answered: 'What was asked for',
    answer: schemas.described(response.schema),
  })
}

function postOf(of: {
  readonly operation: string
  readonly summary: string
  readonly tag: string
  readonly stamps: readonly (keyof typeof securitySchemes)[]
  readonly request: JsonSchema
  readonly example: object
  readonly answered: string
  readonly answer: JsonSchema
}): object {
  return {
    post: {
      operationId: of.operation,
      summary: of.summary,
      tags: [of.tag],
      security: of.stamps.map((stamp) => ({ [stamp]: [] })),
      requestBody: { required: true, content: json(of.request, of.example) },
      responses: { '200': { description: of.answered, content: json(of.answer) }, ...refusals },
    },
  }
}

function json(schema: JsonSchema, example?: object): object {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

/** One of several versions, told apart by `type`. */
function byType(versions: readonly (readonly [type: string, reference: JsonSchema])[]): JsonSchema {
  const [[, only] = ['', {}], ...others] = versions
  if (others.length === 0) return only
  const mapping = Object.fromEntries(versions.map(([type, { $ref }]) => [type, $ref]))
  return {
    oneOf: versions.map(([, reference]) => reference),
    discriminator: { propertyName: 'type', mapping },
  }
}

function nameOfRequest({ type }: Form): string {
  return `${pascalOf(type)}Request`
}

/** The envelope with the parameters of one published version in it. */
function envelopeOf({ type, intentKey }: Form): JsonSchema {
  const { properties } = envelopeShape.schema
  return {
    ...envelopeShape.schema,
    properties: {
      ...(isObject(properties) ? properties : {}),
      type: { type: 'string', const: type },
      parameters: refTo(intentKey),
    },
  }
}
