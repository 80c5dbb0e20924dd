import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { everyObject, objectsById } from '../../catalogue/objects.ts'
import { label, object, text, uuid } from '../../catalogue/shape.ts'
import { tooMany } from '../../charter/limits.ts'
import { userNotFound } from '../../charter/members.ts'
import { bundleNotOpened, bundleNotRead } from '../../crypto/bundles.ts'
import { loginKeysOf } from '../credentials/held-keys.ts'
import { noImportTarget, walletImportTargets } from '../../objects/import-target.ts'
import { notAMnemonic, wordsInBundle } from './imported-words.ts'
import { accountsParams, checkAccounts, newAccountFailures } from './new-accounts.ts'
import { newWallet, walletMade } from './new-wallet.ts'
import {
  checkNewWalletName,
  checkRoomForWallet,
  seedAlreadyImported,
  walletNameTaken,
  wallets,
} from '../../objects/wallet.ts'

const intent = object({
  userId: uuid,
  walletName: label,
  encryptedBundle: text({ min: 1, max: 16_384 }),
  accounts: accountsParams,
})

export const importWallet = defineActivity({
  operation: 'import_wallet',
  summary: 'Import a wallet, whose mnemonic is encrypted to the key of `init_import_wallet`',
  forms: form('ACTIVITY_TYPE_IMPORT_WALLET', intent, { key: 'importWalletResult', shape: walletMade }),
  resource: 'WALLET',
  action: 'IMPORT',
  authority: { kind: 'onlySelf', self: ({ userId }) => userId },
  amends: true,
  fails: [
    userNotFound,
    noImportTarget,
    bundleNotRead,
    bundleNotOpened,
    notAMnemonic,
    ...newAccountFailures,
    tooMany,
    walletNameTaken,
    seedAlreadyImported,
  ],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      walletName: 'Old treasury',
      encryptedBundle: '{"encappedPublic":"040b…7b","ciphertext":"f1d8…fb"}',
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
    },
    result: {
      walletId: '0198c5a0-7d3c-7000-8000-000000000001',
      addresses: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    },
  },
  validate: ({ accounts }) => checkAccounts(accounts),
  needs: ({ userId }) => ({
    target: objectsById(walletImportTargets, [userId]),
    wallets: everyObject(wallets),
  }),

  async execute({ intent, charter, rows, now, newId, work }) {
    const { userId, walletName, encryptedBundle, accounts } = intent
    const [target] = rows.target
    if (target === undefined) throw noImportTarget({ userId })
    checkRoomForWallet(rows.wallets)
    checkNewWalletName(rows.wallets, walletName)
    const words = wordsInBundle(encryptedBundle, target.secret.reveal())
    const { result, placed } = await newWallet({
      walletName,
      accounts,
      words,
      imported: true,
      loginKeys: loginKeysOf(charter),
      now,
      newId,
      work,
    })
    // The commit detects a seed that already exists: the claim then names the wallet that has it.
    return { result, charter, put: placed, remove: [target] }
  },
})
