import type { JsonSchema } from '../../../trusted/catalogue/shape.ts'
import type { Exchange } from './examples.ts'
import { refusals } from './openapi-refusals.ts'

/** A path that takes a `POST` of a JSON object. */
export function postOf(of: {
  readonly operation: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  /** Names of security schemes, any one of which is sufficient. */
  readonly stamps: readonly string[]
  readonly request: JsonSchema
  readonly answered: string
  readonly answer: JsonSchema
  /** Taken from a service; a new operation has none before `npm run derive`. */
  readonly exchange: Exchange | undefined
}): object {
  return {
    post: {
      operationId: of.operation,
      summary: of.summary,
      ...(of.description === undefined ? {} : { description: of.description }),
      tags: [of.tag],
      security: of.stamps.map((stamp) => ({ [stamp]: [] })),
      requestBody: { required: true, content: json(of.request, of.exchange?.request) },
      responses: {
        '200': { description: of.answered, content: json(of.answer, of.exchange?.answer) },
        ...refusals,
      },
    },
  }
}

function json(schema: JsonSchema, example?: object): object {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}
