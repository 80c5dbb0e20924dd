import { anEncryptedMnemonic } from '../../../../../test/behaviour/imported-wallets.ts'
import type { World } from '../../../../../test/behaviour/world.ts'

export const world: World = async (setting) => ({
  parameters: {
    ...setting.example,
    userId: setting.by.userId,
    encryptedBundle: await anEncryptedMnemonic(setting),
  },
})
