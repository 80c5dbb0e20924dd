import { accounts, users } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = (setting) => ({
  parameters: {
    ...setting.example,
    rootUsers: users(setting, 60).map(({ userTags: _, ...user }) => user),
    wallet: { walletName: 'Many', accounts: accounts(1_000) },
  },
})
