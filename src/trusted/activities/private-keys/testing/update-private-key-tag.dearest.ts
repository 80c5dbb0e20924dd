import { aTag } from '../../../../../test/behaviour/things.ts'
import { manyKeys } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => {
  const addPrivateKeyIds = await manyKeys(setting)
  const privateKeyTagId = await aTag(setting, 'private_key', [])
  return {
    parameters: { privateKeyTagId, newPrivateKeyTagName: 'All', addPrivateKeyIds, removePrivateKeyIds: [] },
  }
}
