import type { DirectoryEntry } from '../catalogue/unit.ts'
import type { Charter } from '../charter/charter.ts'
import { lookupsOf, webhookTargetsOf } from '../charter/directory.ts'
import { recoveryAttemptOf } from '../charter/organization-recovery.ts'

/**
 * A sub-organization is found from its parent by what stands in its charter; everyone who wants to be told, from their own;
 * and the organizations whose recovery is under way, from one place.
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

/** Under this the organizations are found whose recovery is under way, in the whole service. */
export const RECOVERY_ATTEMPTS = { scope: 'everywhere', kind: 'RECOVERY_ATTEMPT', value: '' } as const
