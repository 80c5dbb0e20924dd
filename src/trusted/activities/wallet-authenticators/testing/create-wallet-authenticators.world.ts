import { anotherUser } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { userId } = await anotherUser(setting)
  const [wallet] = setting.example.walletAuthenticators
  // In one case, so that another name is an address too.
  return {
    parameters: { userId, walletAuthenticators: [{ ...wallet, address: wallet.address.toLowerCase() }] },
  }
}
