import { anotherUser, aTag } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { userId } = await anotherUser(setting)
  return { parameters: { userTagIds: [await aTag(setting, 'user', [userId])] } }
}
