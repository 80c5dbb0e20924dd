import type { Requester } from '../../catalogue/activity.ts'
import type { Charter } from '../../charter/charter.ts'

/**
 * The charters whose features have to allow a login: that of the organization, and that of the parent where the parent
 * made the request.
 */
export function chartersAsked({
  charter,
  parent,
  requester,
}: {
  readonly charter: Charter
  readonly parent: Charter | undefined
  readonly requester: Requester
}): readonly (Charter | undefined)[] {
  return [charter, requester.organizationId === charter.organizationId ? undefined : parent]
}
