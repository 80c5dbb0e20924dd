import type { JsonSchema } from '../../../trusted/catalogue/shape.ts'
import type { Examples } from './examples.ts'
import { PUBLIC_PURPOSES, SERVICE_STATES } from '../../../trusted/catalogue/service-purposes.ts'
import { refusals } from './openapi-refusals.ts'

/** The paths for data about the service itself; they need no stamp. */
export function servicePaths(
  examples: Examples['service'],
): readonly (readonly [path: string, item: object])[] {
  return SERVICE_ROUTES.map(({ path, operation, summary, ...rest }) => {
    const { type = 'application/json', schema, mayBeOut = false } = rest
    const example = examples[path]
    const content = { [type]: { schema, ...(example === undefined ? {} : { example }) } }
    return [
      path,
      {
        get: {
          operationId: operation,
          summary,
          tags: ['SERVICE'],
          security: [],
          responses: {
            '200': { description: 'What was asked for', content },
            '400': refusals[400],
            '429': refusals[429],
            ...(mayBeOut ? { '503': refusals[503] } : {}),
          },
        },
      },
    ]
  })
}

type Told = {
  readonly path: string
  readonly operation: string
  readonly summary: string
  readonly schema: JsonSchema
  readonly type?: string
  readonly mayBeOut?: true
}

const text = { type: 'string' }

/** Each with its answer. */
export const SERVICE_ROUTES: readonly Told[] = [
  {
    path: '/healthz',
    operation: 'healthz',
    summary: 'Check that the process is alive',
    schema: closed({ status: { type: 'string', const: 'ok' } }),
  },
  {
    path: '/readyz',
    operation: 'readyz',
    summary: 'Check that the store accepts writes and the vault answers',
    schema: closed({ status: { type: 'string', const: 'ready' } }),
    mayBeOut: true,
  },
  {
    path: '/metrics',
    operation: 'metrics',
    summary: 'Get counters and gauges in the text format of Prometheus',
    schema: text,
    type: 'text/plain',
  },
  {
    path: '/openapi.json',
    operation: 'openapi',
    summary: 'Get this interface as an OpenAPI document',
    schema: { type: 'object', additionalProperties: true },
  },
  {
    path: '/public/v1/discovery/keys',
    operation: 'discover_keys',
    summary: 'Get the public keys of the service, by what they sign or open, and their versions',
    schema: closed({
      signer: text,
      session: text,
      otp: text,
      oauth2: text,
      webhook: text,
      versions: {
        type: 'array',
        items: {
          ...closed({
            purpose: { type: 'string', enum: [...PUBLIC_PURPOSES] },
            version: { type: 'integer' },
            state: { type: 'string', enum: [...SERVICE_STATES] },
            publicKey: text,
            until: { type: 'integer' },
          }),
          required: ['purpose', 'version', 'state', 'publicKey'],
        },
      },
    }),
  },
  {
    path: '/public/v1/discovery/webhooks/jwks',
    operation: 'discover_webhook_keys',
    summary: 'Get the key that signs webhooks, as a JSON Web Key Set',
    schema: closed({
      keys: {
        type: 'array',
        items: closed({
          kid: text,
          kty: { type: 'string', const: 'OKP' },
          crv: { type: 'string', const: 'Ed25519' },
          alg: { type: 'string', const: 'EdDSA' },
          use: { type: 'string', const: 'sig' },
          x: text,
          turnkey_signature_algorithm: { type: 'string', const: 'ed25519' },
          turnkey_signature_version: { type: 'string', const: 'v1' },
        }),
      },
    }),
  },
]

function closed(properties: { readonly [name: string]: JsonSchema }): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
