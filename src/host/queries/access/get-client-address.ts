import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, optional, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'

/** Lets a caller check whether an IP allowlist would exclude them, before it is in force. */
export const getClientAddress = defineQuery({
  operation: 'get_client_address',
  ours: true,
  summary: 'Get the source address of this request, as IP allowlists see it',
  request: object({ organizationId: organizationIdText }),
  response: object({ organizationId: uuid, clientAddress: optional(text({ max: 255 })) }),
  example: {},
  answer: (_, { charter: { organizationId }, clientAddress }) => ({
    organizationId,
    ...(clientAddress === undefined ? {} : { clientAddress }),
  }),
})
