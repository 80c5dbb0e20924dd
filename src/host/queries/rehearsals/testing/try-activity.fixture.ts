import { anotherUser, aPolicy } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

/** What the root quorum does is asked of no policy. */
export const fixture: Fixture = async (setting) => {
  await aPolicy(setting)
  const { userId } = await anotherUser(setting)
  return { parameters: { ...setting.example, userId } }
}
