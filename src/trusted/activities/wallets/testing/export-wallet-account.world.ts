import { anImportedWallet } from '../../../../../test/behaviour/imported-wallets.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { addresses } = await anImportedWallet(setting)
  return { parameters: { ...setting.example, address: addresses[0] } }
}
