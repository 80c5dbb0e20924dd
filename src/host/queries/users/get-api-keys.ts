import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, optional, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownUser } from '../../../trusted/charter/members.ts'
import { apiKeyView } from '../../../trusted/charter/view.ts'
import { apiKeyShape } from './credential-shapes.ts'

export const getApiKeys = defineQuery({
  operation: 'get_api_keys',
  summary: 'List the API keys of one user or of all users',
  request: object({ organizationId: organizationIdText, userId: optional(uuid) }),
  response: object({ apiKeys: list(apiKeyShape, { max: 2_000 }) }),
  example: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  answer: ({ userId }, { charter }) => {
    const users = userId === undefined ? charter.users : [knownUser(charter, userId)]
    return { apiKeys: users.flatMap((user) => user.apiKeys.map(apiKeyView)) }
  },
})
