import { aPasskey } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => ({
  parameters: {
    userId: setting.by.userId,
    authenticators: Array.from({ length: 10 }, (_, at) => ({
      ...aPasskey(setting.service),
      authenticatorName: `Phone ${at}`,
    })),
  },
})
