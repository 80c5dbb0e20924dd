import { anotherUser, aPolicy } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

/** What the root quorum does is asked of no policy. */
export const world: World = async (setting) => {
  await aPolicy(setting)
  const { userId } = await anotherUser(setting)
  return { parameters: { ...setting.example, userId } }
}
