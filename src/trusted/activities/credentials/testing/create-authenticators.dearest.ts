import { aPasskey } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => ({
  parameters: {
    userId: setting.by.userId,
    authenticators: Array.from({ length: 10 }, (_, at) => ({
      ...aPasskey(setting.service),
      authenticatorName: `Phone ${at}`,
    })),
  },
})
