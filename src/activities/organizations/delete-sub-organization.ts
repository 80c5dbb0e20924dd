import { defineFailure, FAILED_PRECONDITION, INVALID_ARGUMENT } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { everyObject } from '../../catalogue/objects.ts'
import { boolean, object, optional, uuid } from '../../catalogue/shape.ts'
import { type Charter, noCredentials, nothingYet, type User } from '../../charter/charter.ts'
import { importTargets } from '../private-keys/import-target.ts'
import { privateKeys } from '../private-keys/private-key.ts'

export const notASubOrganization = defineFailure<{ readonly organizationId: string }>({
  kind: 'notASubOrganization',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_ACTIVITY_CALLER',
  say: ({ organizationId }) =>
    `organization ${organizationId} is not a sub-organization, and cannot be deleted by this activity`,
})

export const keysNotExported = defineFailure<{ readonly privateKeyIds: readonly string[] }>({
  kind: 'keysNotExported',
  code: FAILED_PRECONDITION,
  say: ({ privateKeyIds }) =>
    `private keys have not been exported: ${privateKeyIds.slice(0, NAMED_MAX).join(', ')}${
      privateKeyIds.length > NAMED_MAX ? ` and ${privateKeyIds.length - NAMED_MAX} more` : ''
    }; export them, or set deleteWithoutExport`,
})

const NAMED_MAX = 10

/**
 * Irreversible, and so the root quorum's alone. The keys are gone with the commit; the records of what was done stay where they
 * are, and this one still answers whoever repeats the request.
 */
export const deleteSubOrganization = defineActivity({
  operation: 'delete_sub_organization',
  summary: 'Delete this sub-organization with everything in it',
  forms: form('ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', object({ deleteWithoutExport: optional(boolean) }), {
    key: 'deleteSubOrganizationResult',
    shape: object({ subOrganizationUuid: uuid }),
  }),
  resource: 'ORGANIZATION',
  action: 'DELETE',
  authority: { kind: 'rootQuorum' },
  amends: true,
  fails: [notASubOrganization, keysNotExported],
  example: {
    intent: { deleteWithoutExport: true },
    result: { subOrganizationUuid: '0198c5a0-7d3c-7000-8000-000000000001' },
  },
  needs: () => ({ keys: everyObject(privateKeys), targets: everyObject(importTargets) }),

  execute({ intent, charter, rows }) {
    const { organizationId, parentId } = charter
    if (parentId === null) throw notASubOrganization({ organizationId })
    const kept = rows.keys.filter(({ body }) => !body.exported)
    if (kept.length > 0 && intent.deleteWithoutExport !== true)
      throw keysNotExported({ privateKeyIds: kept.map(({ objectId }) => objectId) })
    return {
      result: { subOrganizationUuid: organizationId },
      charter: deletedCharter(charter),
      remove: [...rows.keys, ...rows.targets],
    }
  },
})

/** What is left: users with their credentials, so that the last request can be told from a stranger's when it is repeated. */
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
