import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, optional, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { knownUser } from '../../../trusted/charter/members.ts'
import { oauthProviderView } from '../../../trusted/charter/view.ts'
import { oauthProviderShape } from '../users/credential-shapes.ts'

export const getOauthProviders = defineQuery({
  operation: 'get_oauth_providers',
  summary: 'List the OIDC and OAuth 2.0 accounts of one user or of all users',
  request: object({ organizationId: organizationIdText, userId: optional(uuid) }),
  response: object({ oauthProviders: list(oauthProviderShape, { max: 1_000 }) }),
  example: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
  answer: ({ userId }, { charter }) => {
    const users = userId === undefined ? charter.users : [knownUser(charter, userId)]
    return { oauthProviders: users.flatMap(({ oauthProviders }) => oauthProviders.map(oauthProviderView)) }
  },
})
