import { aWallet } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { walletId, address } = await aWallet(setting)
  return { parameters: { walletId, address } }
}
