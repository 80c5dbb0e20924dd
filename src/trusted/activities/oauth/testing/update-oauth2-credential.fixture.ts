import { anOauth2Credential, encryptedClientSecret } from '../../../../../test/behaviour/identities.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => ({
  parameters: {
    ...setting.example,
    oauth2CredentialId: await anOauth2Credential(setting),
    encryptedClientSecret: await encryptedClientSecret(),
  },
})
