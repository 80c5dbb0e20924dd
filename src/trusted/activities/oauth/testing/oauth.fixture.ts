import { anIdentityToken, withIdentity } from '../../../../../test/behaviour/identities.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { targetPublicKey } = setting.example
  const oidcToken = anIdentityToken(setting.service, targetPublicKey)
  return { by: await withIdentity(setting), parameters: { ...setting.example, oidcToken } }
}
