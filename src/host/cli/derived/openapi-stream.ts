import { STREAM_PATH, streamRequest } from '../../http/changes/stream-routes.ts'
import { eventText } from '../../http/changes/event-text.ts'
import { ADDITION } from './addition.ts'
import { refusals } from './openapi-refusals.ts'

const ORGANIZATION = '01a1fb67-1800-7719-98fe-363b9c29116c'

/** The stream of changes: a schema of an answer cannot describe its events, and docs/reference/stream.md does. */
export const streamPath = [
  STREAM_PATH,
  {
    post: {
      operationId: 'stream_activities',
      summary: 'Stream the activities of an organization as they change',
      description: `${ADDITION} Server-sent events: \`ready\`, \`activity\`, \`reset\` and \`end\`.`,
      tags: ['QUERY'],
      security: ['stamp', 'passkeyStamp', 'readOnlySession'].map((stamp) => ({ [stamp]: [] })),
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: streamRequest.schema, example: { organizationId: ORGANIZATION } },
        },
      },
      responses: {
        '200': {
          description: 'Events, for as long as the caller may read',
          content: { 'text/event-stream': { schema: { type: 'string' }, example: eventText('ready', {}) } },
        },
        ...refusals,
      },
    },
  },
] as const
