import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { isUuid } from '../../base/ids.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById, objectsFollowing } from '../../catalogue/objects.ts'
import { boolean, list, object, optional, shown, text } from '../../catalogue/shape.ts'
import { wallets } from '../../objects/wallet.ts'
import {
  type WalletAccount,
  walletAccountNotOfOrganization,
  walletAccounts,
} from '../../objects/wallet-account.ts'
import { walletsFacts, walletsNamespace } from './wallet-facts.ts'

const ids = list(text({ max: 64 }), { min: 1, max: 1_000 })

const invalidWalletAccountId = defineFailure<{ readonly walletAccountId: string }>({
  kind: 'invalidWalletAccountId',
  code: INVALID_ARGUMENT,
  say: ({ walletAccountId }) => `invalid wallet account UUID: ${shown(walletAccountId)}`,
})

const walletAccountNotExported = defineFailure<{ readonly walletAccountId: string }>({
  kind: 'walletAccountNotExported',
  code: INVALID_ARGUMENT,
  errorCode: 'WALLET_ACCOUNT_NOT_EXPORTED',
  say: ({ walletAccountId }) =>
    `wallet account has not been exported: ${walletAccountId}; export it or its wallet first, or send deleteWithoutExport`,
})

export const deleteWalletAccounts = defineActivity({
  operation: 'delete_wallet_accounts',
  summary: 'Delete accounts of wallets',
  forms: form(
    'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS',
    object({ walletAccountIds: ids, deleteWithoutExport: optional(boolean) }),
    { key: 'deleteWalletAccountsResult', shape: object({ walletAccountIds: ids }) },
  ),
  resource: 'WALLET',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [invalidWalletAccountId, walletAccountNotOfOrganization, walletAccountNotExported],
  example: {
    intent: { walletAccountIds: ['0198c5a0-7d3c-7000-8000-000000000001'], deleteWithoutExport: true },
    result: { walletAccountIds: ['0198c5a0-7d3c-7000-8000-000000000001'] },
  },
  validate: ({ walletAccountIds }) => {
    const malformed = walletAccountIds.find((id) => !isUuid(id))
    if (malformed !== undefined) throw invalidWalletAccountId({ walletAccountId: malformed })
  },
  needs: ({ walletAccountIds }) => ({
    accounts: objectsById(walletAccounts, walletAccountIds),
    wallets: objectsFollowing('accounts', wallets, ({ walletId }: WalletAccount) => [walletId]),
  }),
  namespaces: walletsNamespace,
  facts: ({ rows }) => walletsFacts(rows.wallets),

  execute({ intent: { walletAccountIds, deleteWithoutExport = false }, rows }) {
    const known = new Map(rows.wallets.map((row) => [row.objectId, row.body]))
    const accounts = new Map(rows.accounts.map((row) => [row.objectId, row]))
    const removed = walletAccountIds.map((walletAccountId) => {
      const account = accounts.get(walletAccountId)
      const wallet = account && known.get(account.body.walletId)
      // Policies decide by the wallets, so an account whose wallet was not brought is not deleted.
      if (account === undefined || wallet === undefined)
        throw walletAccountNotOfOrganization({ walletAccountId })
      // The words of a wallet give access to all its accounts, earlier and later ones.
      const isKept = !account.body.exported && !wallet.exported
      if (isKept && !deleteWithoutExport) throw walletAccountNotExported({ walletAccountId })
      return account
    })
    return { result: { walletAccountIds }, remove: [...new Set(removed)] }
  },
})
