import { accounts } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = () => ({ parameters: { walletName: 'Many', accounts: accounts(1_000) } })
