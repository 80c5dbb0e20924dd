import { anotherUser } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { userId } = await anotherUser(setting)
  return { parameters: { threshold: 1, userIds: [setting.by.userId, userId] } }
}
