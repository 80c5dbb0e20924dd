import { anIdentityToken, withIdentity } from '../../../../../test/behaviour/identities.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { targetPublicKey } = setting.example
  const oidcToken = anIdentityToken(setting.service, targetPublicKey)
  return { by: await withIdentity(setting), parameters: { ...setting.example, oidcToken } }
}
