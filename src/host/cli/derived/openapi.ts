import { ADDITION } from './addition.ts'
import type { Activity } from '../../../trusted/catalogue/activity.ts'
import { type Form, pascalOf } from '../../../trusted/catalogue/form.ts'
import type { Endpoint } from '../../auth-proxy/proxied.ts'
import type { Examples, Exchange } from './examples.ts'
import { authProxyPaths } from './openapi-auth-proxy.ts'
import { whoMay } from './operation-page.ts'
import { postOf } from './openapi-post.ts'
import { refusalResponses } from './openapi-refusals.ts'
import { addRecordSchemas, nameOfRecord, recordOf } from './openapi-record.ts'
import { NamedSchemas, refTo } from './openapi-schemas.ts'
import { servicePaths } from './openapi-service.ts'
import { streamPath } from './openapi-stream.ts'
import type { Query } from '../../../trusted/catalogue/query.ts'
import type { JsonSchema } from '../../../trusted/catalogue/shape.ts'
import { envelopeShape } from '../../../trusted/catalogue/submission.ts'
import { isObject } from '../../../trusted/base/plain.ts'

/** The parts of the document besides the routes of the service itself. */
type Declared = {
  readonly activities: readonly Activity[]
  readonly queries: readonly Query[]
  readonly authProxy: Readonly<Record<string, Pick<Endpoint, 'summary' | 'schemas'>>>
}

/**
 * The interface as an OpenAPI 3.1 document: a function of the declarations and of the examples from a service. It
 * describes requests in their recommended spelling, and leaves out other accepted spellings, such as `null` for an
 * absent field.
 */
export function openApiDocument({ activities, queries, authProxy }: Declared, examples: Examples): object {
  const schemas = new NamedSchemas()
  addRecordSchemas(schemas, activities)
  const { operations } = examples
  const paths = [
    ...activities.map((activity) => [
      `/public/v1/submit/${activity.operation}`,
      submitPath(activity, schemas, operations[activity.operation]),
    ]),
    ...queries.map((query) => [
      `/public/v1/query/${query.operation}`,
      queryPath(query, schemas, operations[query.operation]),
    ]),
    ...authProxyPaths(authProxy, schemas, examples.authProxy),
    streamPath,
    ...servicePaths(examples.service),
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
    servers: [
      { url: '/', description: 'The service that served this document' },
      { url: 'http://127.0.0.1:4400', description: 'What `claviger dev` starts' },
    ],
    tags,
    paths: Object.fromEntries(paths),
    components: { securitySchemes, schemas: schemas.all(), responses: refusalResponses(examples.refusals) },
  }
}

const tags = [
  { name: 'QUERY', description: 'Signed requests that read and leave no record' },
  {
    name: 'AUTH_PROXY',
    description: 'Log-in and sign-up for browsers without a backend; available where it is configured',
  },
  { name: 'SERVICE', description: 'Information about the service, without a stamp' },
]

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
  authProxyConfig: header(
    'X-Auth-Proxy-Config-Id',
    'The ID of a configuration of the auth proxy; it is not secret',
  ),
}

function header(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description }
}

function submitPath(activity: Activity, schemas: NamedSchemas, exchange: Exchange | undefined): object {
  const { operation, summary, forms, resource, vote, attestable } = activity
  for (const form of forms) {
    schemas.add(form.intentKey, form.intent.schema)
    schemas.add(form.resultKey, form.result.schema)
  }
  const requests = forms.map(
    (form) => [form.type, schemas.add(nameOfRequest(form), envelopeOf(form))] as const,
  )
  const recorded = (form: Form) => [form.type, schemas.add(nameOfRecord(form), recordOf(form))] as const
  // The answer to a vote is the activity of the vote, which may have any type.
  const record = vote === undefined ? byType(forms.map(recorded)) : refTo('Activity')
  return postOf({
    operation,
    summary,
    description: `Who may: ${whoMay(activity)}`,
    tag: resource,
    stamps: attestable === true ? ['stamp', 'passkeyStamp', 'attestedStamp'] : ['stamp', 'passkeyStamp'],
    request: byType(requests),
    exchange,
    answered: 'The activity: carried out, waiting for approvals, or failed after it was approved',
    answer: {
      type: 'object',
      properties: { activity: record },
      required: ['activity'],
      additionalProperties: false,
    },
  })
}

function queryPath(
  { operation, summary, request, response, attestable, ours }: Query,
  schemas: NamedSchemas,
  exchange: Exchange | undefined,
): object {
  return postOf({
    operation,
    summary,
    ...(ours === true ? { description: ADDITION } : {}),
    tag: 'QUERY',
    stamps: ['stamp', 'passkeyStamp', 'readOnlySession', ...(attestable === true ? ['attestedStamp'] : [])],
    request: schemas.described(request.schema),
    exchange,
    answered: 'What was asked for',
    answer: schemas.described(response.schema),
  })
}

/** One of several versions, distinguished by `type`. */
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

/** The envelope with the parameters of one published version. */
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
