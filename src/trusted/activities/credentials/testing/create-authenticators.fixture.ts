import { anotherUser, aPasskey, asFirstForm } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { userId } = await anotherUser(setting)
  const authenticators = [aPasskey(setting.service)]
  const older = authenticators.map((authenticator) => asFirstForm(authenticator, userId))
  return {
    parameters: { authenticators, userId },
    older: { ACTIVITY_TYPE_CREATE_AUTHENTICATORS: { authenticators: older, userId } },
  }
}
