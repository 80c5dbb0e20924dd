import { defineFailure, FAILED_PRECONDITION } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById, objectsFound } from '../../catalogue/objects.ts'
import { boolean, list, object, optional, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { knownWallet, walletNotFound, wallets } from '../../objects/wallet.ts'
import { walletAccounts } from '../../objects/wallet-account.ts'
import { walletsFacts, walletsNamespace } from './wallet-facts.ts'

/** They are all deleted in one unit, and the vault checks each. */
const ACCOUNTS_DELETED_AT_ONCE_MAX = 1_000

const ids = list(uuid, { min: 1, max: limits.wallets })

const walletNotExported = defineFailure<{ readonly walletId: string }>({
  kind: 'walletNotExported',
  code: FAILED_PRECONDITION,
  say: ({ walletId }) =>
    `wallet has not been exported: ${walletId}; export it first, or send deleteWithoutExport`,
})

const tooManyAccountsToDelete = defineFailure({
  kind: 'tooManyAccountsToDelete',
  code: FAILED_PRECONDITION,
  say: () =>
    `wallets with more than ${ACCOUNTS_DELETED_AT_ONCE_MAX} accounts in all cannot be deleted at once: delete accounts first`,
})

export const deleteWallets = defineActivity({
  operation: 'delete_wallets',
  summary: 'Delete wallets with all their accounts; this is final',
  forms: form(
    'ACTIVITY_TYPE_DELETE_WALLETS',
    object({ walletIds: ids, deleteWithoutExport: optional(boolean) }),
    { key: 'deleteWalletsResult', shape: object({ walletIds: ids }) },
  ),
  resource: 'WALLET',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [walletNotFound, walletNotExported, tooManyAccountsToDelete],
  example: {
    intent: { walletIds: ['0198c5a0-7d3c-7000-8000-000000000001'], deleteWithoutExport: true },
    result: { walletIds: ['0198c5a0-7d3c-7000-8000-000000000001'] },
  },
  needs: ({ walletIds }) => ({
    wallets: objectsById(wallets, walletIds),
    accounts: objectsFound(
      walletAccounts,
      [...new Set(walletIds)].map((value) => ({ kind: 'WALLET', value })),
      { enough: ACCOUNTS_DELETED_AT_ONCE_MAX + 1 },
    ),
  }),
  namespaces: walletsNamespace,
  facts: ({ rows }) => walletsFacts(rows.wallets),

  execute({ intent: { walletIds, deleteWithoutExport = false }, charter, rows }) {
    const known = walletIds.map((walletId) => knownWallet(rows.wallets, walletId, charter.organizationId))
    const kept = known.find(({ body }) => !body.exported)
    if (kept !== undefined && !deleteWithoutExport) throw walletNotExported({ walletId: kept.objectId })
    if (rows.accounts.length > ACCOUNTS_DELETED_AT_ONCE_MAX) throw tooManyAccountsToDelete()
    return { result: { walletIds }, remove: [...new Set(known), ...rows.accounts] }
  },
})
