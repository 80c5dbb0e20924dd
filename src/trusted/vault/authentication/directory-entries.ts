import { finished, type Steps } from '../../base/work.ts'
import type { DirectoryEntry } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { lookupSteps, webhookTargetsOf } from '../../charter/directory.ts'
import { recoveryAttemptOf } from '../../charter/organization-recovery.ts'

/**
 * The directory entries of a charter. A sub-organization is found from its parent by its users' contacts and
 * credentials, a webhook subscription from its own organization, and an organization whose recovery is under way from
 * one service-wide entry.
 */
export function entriesOf(charter: Charter): readonly DirectoryEntry[] {
  return finished(entrySteps(charter))
}

/** The same in steps; of its users only these where they are named. */
export function* entrySteps(charter: Charter, users = charter.users): Steps<readonly DirectoryEntry[]> {
  const { parentId, organizationId } = charter
  const lookups = yield* lookupSteps(charter, users)
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
