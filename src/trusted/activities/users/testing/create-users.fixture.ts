import { aPasskey, asFirstForm, aTag } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'
import { onP256, without } from '../../../../../test/behaviour/older-fields.ts'

export const fixture: Fixture = async (setting) => {
  const userTags = [await aTag(setting, 'user')]
  const users = setting.example.users.map((user: object) => ({ ...user, userTags }))
  const v2 = users.map(onP256).map(without('oauthProviders'))
  return {
    parameters: { users },
    older: {
      ACTIVITY_TYPE_CREATE_USERS: {
        users: v2.map((user: object) => ({
          ...user,
          accessType: 'ACCESS_TYPE_ALL',
          authenticators: [asFirstForm(aPasskey(setting.service), '')],
        })),
      },
      ACTIVITY_TYPE_CREATE_USERS_V2: {
        users: v2.map((user: object) => ({ ...user, authenticators: [aPasskey(setting.service)] })),
      },
      ACTIVITY_TYPE_CREATE_USERS_V3: { users },
    },
  }
}
