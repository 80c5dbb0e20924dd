import { anEncryptedMnemonic } from '../../../../../test/behaviour/imported-wallets.ts'
import { accounts } from '../../../../../test/cost/many.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const dearest: World = async (setting) => ({
  parameters: {
    userId: setting.by.userId,
    walletName: 'Many',
    encryptedBundle: await anEncryptedMnemonic(setting),
    accounts: accounts(1_000),
  },
})
