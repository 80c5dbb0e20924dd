import { anOauth2Credential, encryptedClientSecret } from '../../../../../test/behaviour/identities.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => ({
  parameters: {
    ...setting.example,
    oauth2CredentialId: await anOauth2Credential(setting),
    encryptedClientSecret: await encryptedClientSecret(),
  },
})
