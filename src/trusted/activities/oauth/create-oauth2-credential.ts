import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, uuid } from '../../catalogue/shape.ts'
import { tooMany } from '../../charter/limits.ts'
import {
  checkOauth2Credential,
  keptOauth2Credential,
  oauth2CredentialFailures,
  oauth2CredentialFields,
  requireParent,
  withOauth2Credential,
} from './oauth2-credential.ts'

export const createOauth2Credential = defineActivity({
  operation: 'create_oauth2_credential',
  summary: 'Store the client ID and the client secret of an application at an OAuth 2.0 provider',
  forms: form('ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL', object(oauth2CredentialFields), {
    key: 'createOauth2CredentialResult',
    shape: object({ oauth2CredentialId: uuid }),
  }),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [...oauth2CredentialFailures, tooMany],
  example: {
    intent: {
      provider: 'OAUTH2_PROVIDER_DISCORD',
      clientId: '1087654321098765432',
      encryptedClientSecret:
        'aaaaaaaaaaaaaaaaaaaaaaaa046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f520000000bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
    },
    result: { oauth2CredentialId: '0198c5a0-7d3c-7000-8000-000000000006' },
  },
  validate: (given) => checkOauth2Credential(given),

  execute({ intent, charter, now, newId, randomBytes, service }) {
    requireParent(charter)
    const credential = {
      oauth2CredentialId: newId(),
      ...keptOauth2Credential(intent, service, randomBytes),
      createdAt: now,
      updatedAt: now,
    }
    return {
      result: { oauth2CredentialId: credential.oauth2CredentialId },
      charter: withOauth2Credential(charter, credential),
    }
  },
})
