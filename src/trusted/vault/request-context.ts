import type { Activity } from '../catalogue/activity.ts'
import type { Charter } from '../charter/charter.ts'
import type { Work } from '../base/work.ts'
import type { Submission } from '../catalogue/submission.ts'
import type { Identity } from './identify.ts'
import type { RequestMeters } from './request-meters.ts'
import type { DecideRequest } from '../../protocol/vault.ts'
import type { CompiledCharter } from './compiled-charter.ts'
import type { VaultContext } from './vault-context.ts'

/** Everything known of one request once its signer is known. */
export type RequestContext = {
  readonly vaultContext: VaultContext
  readonly request: DecideRequest
  readonly submission: Submission
  readonly compiled: CompiledCharter
  /** Of the parent organization, where it was brought. */
  readonly parent: CompiledCharter | undefined
  /** Where passkeys may be used from: the organization's own word, or its parent's; anywhere when undefined. */
  readonly origins: readonly string[] | undefined
  readonly identity: Identity
  readonly meters: RequestMeters
  readonly now: number
  readonly work: Work
}

/** Whose policies and root quorum judge: those of the organization that the person who made the request belongs to. */
export function governingCharter({ compiled, parent }: RequestContext, proposerId: string): CompiledCharter {
  const isOfParent = parent?.charter.users.some(({ userId }) => userId === proposerId) === true
  return isOfParent ? parent : compiled
}

/** The charters that a decision about this activity rests on. */
export function chartersOf(
  context: RequestContext,
  activity: Activity,
  governing: CompiledCharter,
): readonly Charter[] {
  const { compiled, parent } = context
  const usesParent = activity.looksAtParent === true || governing !== compiled
  return usesParent && parent !== undefined ? [compiled.charter, parent.charter] : [compiled.charter]
}

/** Who hears of what happens in an organization: itself and its parent. */
export function audienceOf({ organizationId, parentId }: Charter): readonly string[] {
  return parentId === null ? [organizationId] : [organizationId, parentId]
}
