import { knownOauth2Credential } from '../../../trusted/activities/oauth/oauth2-credential.ts'
import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { object, organizationIdText, uuid } from '../../../trusted/catalogue/shape.ts'
import { oauth2CredentialShape, oauth2CredentialView } from './oauth2-credential-shape.ts'

export const getOauth2Credential = defineQuery({
  operation: 'get_oauth2_credential',
  summary: 'Get an OAuth 2.0 credential: the client ID of an application at a provider',
  request: object({ organizationId: organizationIdText, oauth2CredentialId: uuid }),
  response: object({ oauth2Credential: oauth2CredentialShape }),
  example: { oauth2CredentialId: '0198c5a0-7d3c-7000-8000-000000000006' },
  answer: ({ oauth2CredentialId }, { charter }) => ({
    oauth2Credential: oauth2CredentialView(charter, knownOauth2Credential(charter, oauth2CredentialId)),
  }),
})
