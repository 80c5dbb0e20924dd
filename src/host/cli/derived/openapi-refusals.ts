import type { Examples } from './examples.ts'
import { refTo } from './openapi-schemas.ts'

/** Every status with which an operation may refuse, and its name in the document. */
const described = [
  [400, 'BadRequest', 'The request is malformed, or its object is not in a state for the operation'],
  [
    401,
    'Unauthenticated',
    'The stamp is missing, does not match these bytes, or belongs to no known credential',
  ],
  [
    403,
    'Forbidden',
    'The organization does not allow the request; a refusal by policies is kept as an activity',
  ],
  [404, 'NotFound', 'An object that the request names does not exist'],
  [409, 'Conflict', 'The object exists already'],
  [429, 'TooManyRequests', 'A limit is reached: on requests, or on the objects of an organization'],
  [500, 'Internal', 'A fault of the service; the message has an id, under which the log says more'],
  [
    503,
    'Unavailable',
    'Temporarily unavailable; the same bytes may be sent again, and take effect once at most',
  ],
] as const

/** The refusals under `responses` of an operation. */
export const refusals: { readonly [status: number]: { readonly $ref: string } } = Object.fromEntries(
  described.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
)

/** The responses to which these refer. */
export function refusalResponses(examples: Examples['refusals']): object {
  return Object.fromEntries(
    described.map(([status, name, description]) => [
      name,
      { description, content: { 'application/json': { schema: refTo('Error'), example: examples[status] } } },
    ]),
  )
}
