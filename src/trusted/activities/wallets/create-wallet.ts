import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { everyObject } from '../../catalogue/objects.ts'
import { tooMany } from '../../charter/limits.ts'
import { newAccountFailures } from './new-accounts.ts'
import {
  checkWalletParams,
  generatedWallet,
  invalidMnemonicLength,
  walletMade,
  walletParams,
} from './new-wallet.ts'
import {
  checkNewWalletName,
  checkRoomForWallet,
  seedAlreadyImported,
  walletNameTaken,
  wallets,
} from '../../objects/wallet.ts'

export const createWallet = defineActivity({
  operation: 'create_wallet',
  summary: 'Create a wallet with accounts',
  forms: form('ACTIVITY_TYPE_CREATE_WALLET', walletParams, { key: 'createWalletResult', shape: walletMade }),
  resource: 'WALLET',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [invalidMnemonicLength, ...newAccountFailures, tooMany, walletNameTaken, seedAlreadyImported],
  example: {
    intent: {
      walletName: 'Treasury',
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
      mnemonicLength: 24,
    },
    result: {
      walletId: '0198c5a0-7d3c-7000-8000-000000000001',
      addresses: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    },
  },
  validate: (intent) => checkWalletParams(intent),
  needs: () => ({ wallets: everyObject(wallets) }),

  async execute({ intent, charter, rows, now, newId, randomBytes, work }) {
    checkRoomForWallet(rows.wallets)
    checkNewWalletName(rows.wallets, intent.walletName)
    const { result, placed } = await generatedWallet(intent, { now, newId, randomBytes, work })
    // A new charter version, so that two concurrent requests do not count the same wallets.
    return { result, charter, put: placed }
  },
})
