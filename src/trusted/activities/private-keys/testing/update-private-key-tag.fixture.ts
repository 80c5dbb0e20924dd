import { aPrivateKey, aTag } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { privateKeyId } = await aPrivateKey(setting)
  const privateKeyTagId = await aTag(setting, 'private_key', [privateKeyId])
  return { parameters: { ...setting.example, privateKeyTagId, removePrivateKeyIds: [privateKeyId] } }
}
