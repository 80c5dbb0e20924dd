import { users } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = (setting) => ({
  parameters: {
    apiOnlyUsers: users(setting, 90).map(({ userName, apiKeys }) => ({
      userName,
      userTags: [],
      apiKeys: apiKeys.map(({ apiKeyName, publicKey }) => ({ apiKeyName, publicKey })),
    })),
  },
})
