import { aWallet } from '../../../../../test/behaviour/things.ts'
import { accounts } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => {
  const { walletId } = await aWallet(setting)
  return { parameters: { walletId, accounts: accounts(1_000) } }
}
