import { defineQuery } from '../../catalogue/query.ts'
import { list, object, organizationIdText, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { knownUser } from '../../charter/members.ts'
import { authenticatorView } from '../../charter/view.ts'
import { authenticatorShape } from './credential-shapes.ts'

export const getAuthenticators = defineQuery({
  operation: 'get_authenticators',
  summary: 'List the passkeys of a user',
  request: object({ organizationId: organizationIdText, userId: uuid }),
  response: object({ authenticators: list(authenticatorShape, { max: limits.authenticatorsPerUser }) }),
  answer: ({ userId }, { charter }) => ({
    authenticators: knownUser(charter, userId).authenticators.map(authenticatorView),
  }),
})
