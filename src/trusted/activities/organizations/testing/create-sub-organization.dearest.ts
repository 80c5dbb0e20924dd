import { accounts, users } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = (setting) => ({
  parameters: {
    ...setting.example,
    rootUsers: users(setting, 60).map(({ userTags: _, ...user }) => user),
    wallet: { walletName: 'Many', accounts: accounts(1_000) },
  },
})
