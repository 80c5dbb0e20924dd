import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import {
  checkOauth2Credential,
  keptOauth2Credential,
  knownOauth2Credential,
  oauth2CredentialFailures,
  oauth2CredentialFields,
  requireParent,
  withOauth2Credential,
} from './oauth2-credential.ts'

const intent = object({ oauth2CredentialId: uuid, ...oauth2CredentialFields })

export const updateOauth2Credential = defineActivity({
  operation: 'update_oauth2_credential',
  summary: 'Replace the client ID and the client secret of an application at an OAuth 2.0 provider',
  forms: form('ACTIVITY_TYPE_UPDATE_OAUTH2_CREDENTIAL', intent, {
    key: 'updateOauth2CredentialResult',
    shape: object({ oauth2CredentialId: uuid }),
  }),
  resource: 'AUTH',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: oauth2CredentialFailures,
  example: {
    intent: {
      oauth2CredentialId: '0198c5a0-7d3c-7000-8000-000000000006',
      provider: 'OAUTH2_PROVIDER_DISCORD',
      clientId: '1087654321098765432',
      encryptedClientSecret:
        'aaaaaaaaaaaaaaaaaaaaaaaa046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f520000000bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
    },
    result: { oauth2CredentialId: '0198c5a0-7d3c-7000-8000-000000000006' },
  },
  validate: (given) => checkOauth2Credential(given),

  execute({ intent: { oauth2CredentialId, ...given }, charter, now, randomBytes, service }) {
    requireParent(charter)
    const known = knownOauth2Credential(charter, oauth2CredentialId)
    const kept = keptOauth2Credential(given, service, randomBytes)
    return {
      result: { oauth2CredentialId },
      charter: withOauth2Credential(charter, { ...known, ...kept, updatedAt: now }),
    }
  },
})
