import { anEncryptedMnemonic } from '../../../../../test/behaviour/imported-wallets.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const fixture: Fixture = async (setting) => ({
  parameters: {
    ...setting.example,
    userId: setting.by.userId,
    encryptedBundle: await anEncryptedMnemonic(setting),
  },
})
