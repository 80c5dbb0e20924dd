import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { knownUser } from '../../../trusted/charter/members.ts'
import { authenticatorView } from '../../../trusted/charter/view.ts'
import { authenticatorShape } from './credential-shapes.ts'

export const getAuthenticators = defineQuery({
  operation: 'get_authenticators',
  summary: 'List the passkeys of a user',
  request: object({ organizationId: organizationIdText, userId: uuid }),
  response: object({ authenticators: list(authenticatorShape, { max: limits.authenticatorsPerUser }) }),
  example: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  answer: ({ userId }, { charter }) => ({
    authenticators: knownUser(charter, userId).authenticators.map(authenticatorView),
  }),
})
