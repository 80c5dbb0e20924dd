import { aTag } from '../../../../../test/behaviour/things.ts'
import { manyKeys } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => {
  const tagged = await aTag(setting, 'private_key', await manyKeys(setting))
  return { parameters: { privateKeyTagIds: [tagged] } }
}
