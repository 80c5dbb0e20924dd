import { aPrivateKey, aSubOrganization } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const by = await aSubOrganization(setting.service)
  await aPrivateKey({ ...setting, by })
  return { by, parameters: setting.example }
}
