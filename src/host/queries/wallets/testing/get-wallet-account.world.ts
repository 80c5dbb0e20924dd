import { aWallet } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { walletId, address } = await aWallet(setting)
  return { parameters: { walletId, address } }
}
