import { defineFailure, NOT_FOUND } from '../../../trusted/base/failure.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { apiKeyView } from '../../../trusted/charter/view.ts'
import { apiKeyShape } from './credential-shapes.ts'

const apiKeyNotFound = defineFailure<{ readonly apiKeyId: string; readonly organizationId: string }>({
  kind: 'apiKeyNotFound',
  code: NOT_FOUND,
  say: ({ apiKeyId, organizationId }) =>
    `unable to find api key ${apiKeyId} in organization ${organizationId}`,
})

export const getApiKey = defineQuery({
  operation: 'get_api_key',
  summary: 'Get an API key',
  request: object({ organizationId: organizationIdText, apiKeyId: uuid }),
  response: object({ apiKey: apiKeyShape }),
  example: { apiKeyId: '0198c5a0-7d3c-7000-8000-000000000004' },
  answer: ({ apiKeyId }, { charter }) => {
    const apiKey = charter.users.flatMap((user) => user.apiKeys).find((key) => key.apiKeyId === apiKeyId)
    if (apiKey === undefined) throw apiKeyNotFound({ apiKeyId, organizationId: charter.organizationId })
    return { apiKey: apiKeyView(apiKey) }
  },
})
