import assert from 'node:assert/strict'
import { activities } from '../../src/trusted/activities/list.ts'
import { authProxyEndpoints as authProxy } from '../../src/host/auth-proxy/endpoints.ts'
import { readExamples } from '../../src/host/cli/derived/examples.ts'
import { openApiDocument } from '../../src/host/cli/derived/openapi.ts'
import type { JsonSchema } from '../../src/trusted/catalogue/shape.ts'
import { queries } from '../../src/host/queries/list.ts'
import { root } from '../house/sources.ts'
import { schemaProblems, type Schemas } from './schema-problems.ts'

type Content = {
  readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown }
}
type Operation = {
  readonly operationId: string
  readonly requestBody: { readonly content: Content }
  readonly responses: { readonly '200': { readonly content: Content } } & {
    readonly [status: string]: { readonly content: Content } | { readonly $ref: string }
  }
}
/** What the service tells of itself. */
type Told = Pick<Operation, 'operationId'> & {
  readonly requestBody?: undefined
  readonly responses: { readonly '200': { readonly content: Partial<Content> } }
}
type OpenApi = {
  readonly paths: { readonly [path: string]: { readonly post?: Operation; readonly get?: Told } }
  readonly components: {
    readonly schemas: Schemas
    readonly responses: { readonly [name: string]: { readonly content: Content } }
  }
}

// It is built of plain objects of just these shapes, and the tests of the document look at each.
export const documented = openApiDocument({ activities, queries, authProxy }, readExamples(root)) as OpenApi

/** Sees that an answer is one that our OpenAPI document describes. */
export function assertDocumented(
  path: string,
  { status, json }: { readonly status: number; readonly json: unknown },
): void {
  const operation = documented.paths[path]?.post
  if (operation === undefined) return
  const schema = answerOf(operation, status)
  assert.ok(
    schema !== undefined,
    `${path} answers ${status}, which is not documented: ${JSON.stringify(json)}`,
  )
  assert.deepEqual(schemaProblems(documented.components.schemas, schema, json, path), [])
}

export function requestOf({ requestBody }: Operation): JsonSchema {
  return requestBody.content['application/json'].schema
}

export function answerOf({ responses }: Operation, status: number): JsonSchema | undefined {
  const response = responses[status]
  if (response === undefined) return undefined
  const { content } =
    'content' in response
      ? response
      : (documented.components.responses[response.$ref.replace('#/components/responses/', '')] ?? {})
  return content?.['application/json'].schema
}
