import { refTo } from './openapi-schemas.ts'

/** Every status of a refusal that an operation may answer, with the name under which the document describes it. */
const described = [
  [400, 'BadRequest', 'The operation does not take this, or what it is about is not in a state for it'],
  [
    401,
    'Unauthenticated',
    'The stamp is missing, is not over these bytes, or is of no credential that is known',
  ],
  [403, 'Forbidden', 'The organization does not allow it; what policies refused is kept as an activity'],
  [404, 'NotFound', 'What the request names is not there'],
  [409, 'Conflict', 'There is one already'],
  [429, 'TooManyRequests', 'A limit is reached: of requests, or of what an organization may hold'],
  [500, 'Internal', 'A fault of the service; the message has the id under which its log tells more'],
  [503, 'Unavailable', 'Not for the moment; the same bytes may be sent again, and take effect once at most'],
] as const

/** The refusals under `responses` of an operation. */
export const refusals = Object.fromEntries(
  described.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
)

/** The responses to which these refer. */
export const refusalResponses = Object.fromEntries(
  described.map(([, name, description]) => [
    name,
    { description, content: { 'application/json': { schema: refTo('Error') } } },
  ]),
)
