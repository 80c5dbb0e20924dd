import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import {
  knownOauth2Credential,
  oauth2CredentialNotFound,
  onlyParentsHaveOauth2Credentials,
  requireParent,
} from './oauth2-credential.ts'

const intent = object({ oauth2CredentialId: uuid })

/**
 * Users keep their identities at the provider, and can log in again once another credential for the same app exists.
 */
export const deleteOauth2Credential = defineActivity({
  operation: 'delete_oauth2_credential',
  summary: 'Delete the client ID and the client secret of an application at an OAuth 2.0 provider',
  forms: form('ACTIVITY_TYPE_DELETE_OAUTH2_CREDENTIAL', intent, {
    key: 'deleteOauth2CredentialResult',
    shape: object({ oauth2CredentialId: uuid }),
  }),
  resource: 'AUTH',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [oauth2CredentialNotFound, onlyParentsHaveOauth2Credentials],
  example: {
    intent: { oauth2CredentialId: '0198c5a0-7d3c-7000-8000-000000000006' },
    result: { oauth2CredentialId: '0198c5a0-7d3c-7000-8000-000000000006' },
  },

  execute({ intent: { oauth2CredentialId }, charter }) {
    requireParent(charter)
    const gone = knownOauth2Credential(charter, oauth2CredentialId)
    return {
      result: { oauth2CredentialId },
      charter: {
        ...charter,
        oauth2Credentials: charter.oauth2Credentials.filter((oauth2Credential) => oauth2Credential !== gone),
      },
    }
  },
})
