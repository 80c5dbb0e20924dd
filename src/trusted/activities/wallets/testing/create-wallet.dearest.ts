import { accounts } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = () => ({ parameters: { walletName: 'Many', accounts: accounts(1_000) } })
