import type { DirectoryEntry } from '../catalogue/unit.ts'
import type { Charter } from '../charter/charter.ts'
import { lookupsOf, webhookTargetsOf } from '../charter/directory.ts'

/** A sub-organization is found from its parent by what stands in its charter; and everyone who wants to be told, from their own. */
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
  ]
}
