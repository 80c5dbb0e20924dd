import { anImportedWallet } from '../../../../../test/behaviour/imported-wallets.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => {
  const { walletId } = await anImportedWallet(setting)
  return { parameters: { ...setting.example, walletId } }
}
