import { aPrivateKey, aSubOrganization } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const by = await aSubOrganization(setting.service)
  await aPrivateKey({ ...setting, by })
  return { by, parameters: setting.example }
}
