import type { DirectoryEntry } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { lookupsOf, webhookTargetsOf } from '../../charter/directory.ts'
import { recoveryAttemptOf } from '../../charter/organization-recovery.ts'

/**
 * The directory entries of a charter. A sub-organization is found from its parent by its users' contacts and
 * credentials, a webhook subscription from its own organization, and an organization whose recovery is under way from
 * one service-wide entry.
 */
export function entriesOf(charter: Charter): readonly DirectoryEntry[] {
  const { parentId, organizationId } = charter
  const lookups = parentId === null ? [] : lookupsOf(charter)
  return [
    ...lookups.map(({ kind, value }) => ({ scope: parentId ?? '', kind, value, target: organizationId })),
    ...webhookTargetsOf(charter).map((target) => ({
      scope: organizationId,
      kind: 'WEBHOOK',
      value: '',
      target,
    })),
    ...(recoveryAttemptOf(charter) === undefined || charter.deleted
      ? []
      : [{ ...RECOVERY_ATTEMPTS, target: organizationId }]),
  ]
}

/** The service-wide entry of all organizations whose recovery is under way. */
export const RECOVERY_ATTEMPTS = { scope: 'everywhere', kind: 'RECOVERY_ATTEMPT', value: '' } as const
