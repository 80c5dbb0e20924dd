import { defineQuery } from '../../catalogue/query.ts'
import { list, object, optional, text, uuid } from '../../catalogue/shape.ts'
import { knownUser } from '../../charter/members.ts'
import { oauthProviderShape } from './credential-shapes.ts'

/** Nobody can have one in this version, and a user who does not exist is still not found. */
export const getOauthProviders = defineQuery({
  operation: 'get_oauth_providers',
  summary: 'List the OAuth providers of a user, or of everyone',
  request: object({ organizationId: text({ max: 64 }), userId: optional(uuid) }),
  response: object({ oauthProviders: list(oauthProviderShape, { max: 1_000 }) }),
  answer: ({ userId }, { charter }) => {
    if (userId !== undefined) knownUser(charter, userId)
    return { oauthProviders: [] }
  },
})
