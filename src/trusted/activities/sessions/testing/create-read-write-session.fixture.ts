import { anotherUser } from '../../../../../test/behaviour/things.ts'
import { withContacts } from '../../../../../test/behaviour/codes.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { userId } = await anotherUser(setting)
  const { targetPublicKey } = setting.example
  await withContacts(setting)
  return {
    parameters: { ...setting.example, userId },
    older: {
      ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION: { targetPublicKey, email: 'ada@example.com' },
    },
  }
}
