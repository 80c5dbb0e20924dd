import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { oauth2CredentialShape, oauth2CredentialView } from './oauth2-credential-shape.ts'

export const listOauth2Credentials = defineQuery({
  operation: 'list_oauth2_credentials',
  summary: 'List the OAuth 2.0 credentials of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ oauth2Credentials: list(oauth2CredentialShape, { max: limits.oauth2Credentials }) }),
  example: {},
  answer: (_, { charter }) => ({
    oauth2Credentials: charter.oauth2Credentials.map((oauth2Credential) =>
      oauth2CredentialView(charter, oauth2Credential),
    ),
  }),
})
