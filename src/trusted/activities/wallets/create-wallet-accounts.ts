import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById } from '../../catalogue/objects.ts'
import { boolean, list, object, optional, uuid } from '../../catalogue/shape.ts'
import { loginKeysOf } from '../credentials/held-keys.ts'
import {
  accountParams,
  ACCOUNTS_AT_ONCE_MAX,
  addressesIn,
  addressesMade,
  checkAccounts,
  newAccountFailures,
  newAccounts,
} from './new-accounts.ts'
import { knownWallet, walletNotFound, wallets } from '../../objects/wallet.ts'
import { walletFacts, walletNamespace } from './wallet-facts.ts'
import { withSeed, wordsIn } from './wallet-secret.ts'

const intent = object({
  walletId: uuid,
  accounts: list(accountParams, { min: 1, max: ACCOUNTS_AT_ONCE_MAX }),
  persist: optional(boolean),
})

export const createWalletAccounts = defineActivity({
  operation: 'create_wallet_accounts',
  summary: 'Create accounts of a wallet, or derive their addresses without creating them',
  forms: form('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', intent, {
    key: 'createWalletAccountsResult',
    shape: object({ addresses: addressesMade }),
  }),
  resource: 'WALLET',
  action: 'CREATE',
  authority: { kind: 'policies' },
  // New accounts change no existing rows: many are created concurrently, and the store ensures that no path is used
  // twice. Only an account whose key may exist elsewhere too can make a known address ambiguous.
  amends: 'seldom',
  fails: [walletNotFound, ...newAccountFailures],
  example: {
    intent: {
      walletId: '0198c5a0-7d3c-7000-8000-000000000001',
      accounts: [
        {
          curve: 'CURVE_ED25519',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/501'/0'/0'",
          addressFormat: 'ADDRESS_FORMAT_SOLANA',
          name: 'Payouts',
        },
      ],
    },
    result: { addresses: ['oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'] },
  },
  validate: ({ accounts }) => checkAccounts(accounts),
  needs: ({ walletId }) => ({ wallets: objectsById(wallets, [walletId]) }),
  namespaces: walletNamespace,
  facts: ({ rows }) => walletFacts(rows.wallets),

  async execute({ intent: { walletId, accounts, persist = true }, charter, rows, now, newId, work }) {
    const { secret, body } = knownWallet(rows.wallets, walletId, charter.organizationId)
    const loginKeys = loginKeysOf(charter)
    const isKnownElsewhere = body.imported || body.exported
    return await withSeed(wordsIn(secret), work, async (seed) => {
      if (!persist) return { result: { addresses: await addressesIn(seed, accounts, work) } }
      const { addresses, placed } = await newAccounts({
        seed,
        walletId,
        accounts,
        loginKeys,
        now,
        newId,
        work,
      })
      return { result: { addresses }, put: placed, ...(isKnownElsewhere ? { charter } : {}) }
    })
  },
})
