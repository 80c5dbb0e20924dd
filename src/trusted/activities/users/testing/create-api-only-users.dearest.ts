import { users } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = (setting) => ({
  parameters: {
    apiOnlyUsers: users(setting, 90).map(({ userName, apiKeys }) => ({
      userName,
      userTags: [],
      apiKeys: apiKeys.map(({ apiKeyName, publicKey }) => ({ apiKeyName, publicKey })),
    })),
  },
})
