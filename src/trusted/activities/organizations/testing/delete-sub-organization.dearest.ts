import { aSubOrganization } from '../../../../../test/behaviour/things.ts'
import { manyAccounts } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => {
  const by = await aSubOrganization(setting.service)
  await manyAccounts({ ...setting, by })
  return { by, parameters: { deleteWithoutExport: true } }
}
