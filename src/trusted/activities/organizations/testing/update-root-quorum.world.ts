import { anotherUser } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { userId } = await anotherUser(setting)
  return { parameters: { threshold: 1, userIds: [setting.by.userId, userId] } }
}
