import { anIdentityToken, withIdentity } from '../../../../../test/behaviour/identities.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { publicKey } = setting.service.newKey()
  const oidcToken = anIdentityToken(setting.service, publicKey)
  return { by: await withIdentity(setting), parameters: { ...setting.example, oidcToken, publicKey } }
}
