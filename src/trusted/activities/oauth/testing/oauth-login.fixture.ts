import { anIdentityToken, withIdentity } from '../../../../../test/behaviour/identities.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { publicKey } = setting.service.newKey()
  const oidcToken = anIdentityToken(setting.service, publicKey)
  return { by: await withIdentity(setting), parameters: { ...setting.example, oidcToken, publicKey } }
}
