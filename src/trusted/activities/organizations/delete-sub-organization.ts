import { defineFailure, FAILED_PRECONDITION, INVALID_ARGUMENT } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { everyObject, type Opened } from '../../catalogue/objects.ts'
import { boolean, object, optional, uuid } from '../../catalogue/shape.ts'
import { type Charter, noCredentials, nothingYet, type User } from '../../charter/charter.ts'
import { importTargets, walletImportTargets } from '../../objects/import-target.ts'
import { type PrivateKey, privateKeys } from '../../objects/private-key.ts'
import { secrets } from '../../objects/secret.ts'
import { type Wallet, wallets } from '../../objects/wallet.ts'
import { walletAccounts } from '../../objects/wallet-account.ts'

const notASubOrganization = defineFailure<{ readonly organizationId: string }>({
  kind: 'notASubOrganization',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_ACTIVITY_CALLER',
  say: ({ organizationId }) =>
    `organization ${organizationId} is not a sub-organization, and cannot be deleted by this activity`,
})

const keysNotExported = defineFailure<{ readonly privateKeyIds: readonly string[] }>({
  kind: 'keysNotExported',
  code: FAILED_PRECONDITION,
  say: ({ privateKeyIds }) =>
    `private keys have not been exported: ${someOf(privateKeyIds)}; export them, or set deleteWithoutExport`,
})

const walletsNotExported = defineFailure<{ readonly walletIds: readonly string[] }>({
  kind: 'walletsNotExported',
  code: FAILED_PRECONDITION,
  say: ({ walletIds }) =>
    `wallets have not been exported: ${someOf(walletIds)}; export them, or set deleteWithoutExport`,
})

const tooMuchToDelete = defineFailure<{ readonly what: string }>({
  kind: 'tooMuchToDelete',
  code: FAILED_PRECONDITION,
  say: ({ what }) =>
    `a sub-organization with more than ${DELETED_AT_ONCE_MAX} ${what} cannot be deleted at once: delete some first`,
})

function someOf(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED_MAX).join(', ')
  return ids.length > NAMED_MAX ? `${named} and ${ids.length - NAMED_MAX} more` : named
}

const NAMED_MAX = 10

/**
 * Irreversible, so it is reserved for the root quorum. The keys are gone with the commit; the records stay, and a
 * repeated request still gets this record as its answer.
 */
export const deleteSubOrganization = defineActivity({
  operation: 'delete_sub_organization',
  summary: 'Delete the sub-organization that the request addresses, with everything in it',
  forms: form('ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', object({ deleteWithoutExport: optional(boolean) }), {
    key: 'deleteSubOrganizationResult',
    shape: object({ subOrganizationUuid: uuid }),
  }),
  resource: 'ORGANIZATION',
  action: 'DELETE',
  authority: { kind: 'rootQuorum' },
  amends: true,
  fails: [notASubOrganization, keysNotExported, walletsNotExported, tooMuchToDelete],
  example: {
    intent: { deleteWithoutExport: true },
    result: { subOrganizationUuid: '0198c5a0-7d3c-7000-8000-000000000001' },
  },
  needs: () => ({
    keys: everyObject(privateKeys, BOUND),
    wallets: everyObject(wallets, BOUND),
    accounts: everyObject(walletAccounts, BOUND),
    secrets: everyObject(secrets, BOUND),
    targets: everyObject(importTargets, BOUND),
    walletTargets: everyObject(walletImportTargets, BOUND),
  }),

  execute({ intent, charter, rows }) {
    const { organizationId, parentId } = charter
    if (parentId === null) throw notASubOrganization({ organizationId })
    checkNumbers({
      'private keys': rows.keys,
      wallets: rows.wallets,
      'wallet accounts': rows.accounts,
      secrets: rows.secrets,
      'imports that wait for a key': rows.targets,
      'imports that wait for a wallet': rows.walletTargets,
    })
    if (intent.deleteWithoutExport !== true) checkExported(rows)
    return {
      result: { subOrganizationUuid: organizationId },
      charter: deletedCharter(charter),
      remove: Object.values(rows).flat(),
    }
  },
})

/** Of each kind; they are all deleted in one unit, and the vault looks at each. */
const DELETED_AT_ONCE_MAX = 1_000
const BOUND = { enough: DELETED_AT_ONCE_MAX + 1 }

function checkNumbers(rows: { readonly [what: string]: readonly unknown[] }): void {
  for (const [what, { length }] of Object.entries(rows))
    if (length > DELETED_AT_ONCE_MAX) throw tooMuchToDelete({ what })
}

function checkExported(rows: {
  readonly keys: readonly Opened<PrivateKey>[]
  readonly wallets: readonly Opened<Wallet>[]
}): void {
  const notExported = (all: readonly Opened<{ readonly exported: boolean }>[]): readonly string[] =>
    all.filter(({ body }) => !body.exported).map(({ objectId }) => objectId)
  const privateKeyIds = notExported(rows.keys)
  if (privateKeyIds.length > 0) throw keysNotExported({ privateKeyIds })
  const walletIds = notExported(rows.wallets)
  if (walletIds.length > 0) throw walletsNotExported({ walletIds })
}

/**
 * The remaining charter: users with their credentials, so that the sender of a repeated last request can be identified.
 */
function deletedCharter(charter: Charter): Charter {
  const users = charter.users.map(
    ({ userId, userName, apiKeys, authenticators, createdAt, updatedAt }): User => ({
      ...noCredentials,
      userId,
      userName,
      apiKeys,
      authenticators,
      createdAt,
      updatedAt,
    }),
  )
  return { ...charter, ...nothingYet, deleted: true, users }
}
