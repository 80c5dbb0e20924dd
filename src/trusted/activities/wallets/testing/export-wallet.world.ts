import { anImportedWallet } from '../../../../../test/behaviour/imported-wallets.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => {
  const { walletId } = await anImportedWallet(setting)
  return { parameters: { ...setting.example, walletId } }
}
