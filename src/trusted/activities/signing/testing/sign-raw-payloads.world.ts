import { aWallet } from '../../../../../test/behaviour/things.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { address } = await aWallet(setting)
  return { parameters: { ...setting.example, signWith: address } }
}
