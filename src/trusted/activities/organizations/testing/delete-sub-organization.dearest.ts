import { aSubOrganization } from '../../../../../test/behaviour/things.ts'
import { manyAccounts } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => {
  const by = await aSubOrganization(setting.service)
  await manyAccounts({ ...setting, by })
  return { by, parameters: { deleteWithoutExport: true } }
}
