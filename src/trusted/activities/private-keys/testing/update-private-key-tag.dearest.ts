import { aTag } from '../../../../../test/behaviour/things.ts'
import { manyKeys } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => {
  const addPrivateKeyIds = await manyKeys(setting)
  const privateKeyTagId = await aTag(setting, 'private_key', [])
  return {
    parameters: { privateKeyTagId, newPrivateKeyTagName: 'All', addPrivateKeyIds, removePrivateKeyIds: [] },
  }
}
