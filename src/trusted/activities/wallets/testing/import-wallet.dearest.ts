import { anEncryptedMnemonic } from '../../../../../test/behaviour/imported-wallets.ts'
import { accounts } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => ({
  parameters: {
    userId: setting.by.userId,
    walletName: 'Many',
    encryptedBundle: await anEncryptedMnemonic(setting),
    accounts: accounts(1_000),
  },
})
