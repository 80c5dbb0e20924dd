import type { Charter } from '../../charter/charter.ts'
import type { Work } from '../../base/work.ts'
import type { Submission } from '../../catalogue/submission.ts'
import type { Identity } from './identify.ts'
import type { RequestMeters } from '../usage/request-meters.ts'
import type { DecideRequest } from '../../../protocol/vault.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import type { VaultContext } from '../vault-context.ts'

/** Everything known of one request once its signer is known. */
export type RequestContext = {
  readonly vaultContext: VaultContext
  readonly request: DecideRequest
  readonly submission: Submission
  readonly compiled: CompiledCharter
  /** The charter of the parent organization, where it was brought. */
  readonly parent: CompiledCharter | undefined
  /** The allowed origins of passkeys: the organization's own setting, or its parent's; any origin when undefined. */
  readonly origins: readonly string[] | undefined
  readonly identity: Identity
  readonly meters: RequestMeters
  readonly now: number
  readonly work: Work
}

/**
 * The charter whose policies and root quorum decide: that of the sender's organization.
 *
 * @param userIds  the sender, and all others who voted or could vote, since the sender of what waits may be deleted
 */
export function governingCharter(
  { compiled, parent }: Pick<RequestContext, 'compiled' | 'parent'>,
  userIds: readonly string[],
): CompiledCharter {
  const isOfParent = parent?.charter.users.some(({ userId }) => userIds.includes(userId)) === true
  return isOfParent ? parent : compiled
}

/**
 * The charters that a decision rests on: each that was read. From its parent an organization may have the signer, the
 * origins of passkeys and the accepted identity tokens.
 */
export function chartersOf({
  compiled,
  parent,
}: Pick<RequestContext, 'compiled' | 'parent'>): readonly Charter[] {
  return parent === undefined ? [compiled.charter] : [compiled.charter, parent.charter]
}

/** The organizations that are notified of events in an organization: itself and its parent. */
export function audienceOf({ organizationId, parentId }: Charter): readonly string[] {
  return parentId === null ? [organizationId] : [organizationId, parentId]
}
