import { aPrivateKey, aTag } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { privateKeyId } = await aPrivateKey(setting)
  return { parameters: { privateKeyTagIds: [await aTag(setting, 'private_key', [privateKeyId])] } }
}
