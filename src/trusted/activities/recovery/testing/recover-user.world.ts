import { anotherUser, aPasskey } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { userId } = await anotherUser(setting)
  return { parameters: { userId, authenticator: aPasskey(setting.service) } }
}
