import { aTag } from '../../../../../test/behaviour/things.ts'
import { manyKeys } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => {
  const tagged = await aTag(setting, 'private_key', await manyKeys(setting))
  return { parameters: { privateKeyTagIds: [tagged] } }
}
