import { aWallet } from '../../../../../test/behaviour/things.ts'
import { accounts } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => {
  const { walletId } = await aWallet(setting)
  return { parameters: { walletId, accounts: accounts(1_000) } }
}
