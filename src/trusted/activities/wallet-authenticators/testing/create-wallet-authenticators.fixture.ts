import { anotherUser } from '../../../../../test/behaviour/things.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { userId } = await anotherUser(setting)
  const [wallet] = setting.example.walletAuthenticators
  // In one case, so that another name is an address too.
  return {
    parameters: { userId, walletAuthenticators: [{ ...wallet, address: wallet.address.toLowerCase() }] },
  }
}
