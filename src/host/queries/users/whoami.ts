import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, text, uuid } from '../../../trusted/catalogue/shape.ts'

export const identity = object({
  organizationId: uuid,
  organizationName: text({ max: 255 }),
  userId: uuid,
  username: text({ max: 255 }),
})

export const whoami = defineQuery({
  operation: 'whoami',
  summary: 'Get the user and the organization of the caller',
  request: object({ organizationId: organizationIdText }),
  response: identity,
  example: {},
  findsSubOrganization: true,
  answer: (_, { signer }) => ({
    organizationId: signer.organizationId,
    organizationName: signer.organizationName,
    userId: signer.userId,
    username: signer.userName,
  }),
})
