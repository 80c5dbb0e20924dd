import type { Costed, Decision } from '../../protocol/vault.ts'
import type { Activity } from '../../trusted/catalogue/activity.ts'
import type { Submission } from '../../trusted/catalogue/submission.ts'
import { askedOf } from '../../trusted/vault/authentication/asked-of.ts'
import type { Charge } from '../store/quotas/quota.ts'
import type { Host } from './host.ts'

/**
 * The charge for a decided request under the quotas of its organization and of its parent.
 *
 * A denied request is not counted: otherwise a member could use up the day with requests that are never allowed. A
 * login is not counted either, because strangers request it through the auth proxy; the messages that it sends are
 * counted, and limited. Any other exhausted quota does not refuse logins, removals, or changes of the root quorum: with
 * these an organization recovers after a thief of a key has used up the day. It does not refuse the members of a
 * recovery set either, who act when no other user can.
 *
 * @param submission  the submission; it may be a vote on another activity
 */
export function chargeOf(
  { types, world }: Pick<Host, 'types' | 'world'>,
  { activity: asked, newest }: Pick<Submission, 'activity' | 'newest'>,
  { unit, cost, homeId }: Costed<Extract<Decision, { readonly kind: 'commit' }>>,
): Charge | undefined {
  const { activity, jobs } = unit
  if (activity === undefined) return undefined
  const { row, audience } = activity
  const settled = types.get(row.type)?.activity ?? asked
  const logsIn = settled.logsIn === true
  const counts = row.status !== 'ACTIVITY_STATUS_FAILED' && !logsIn
  const isOfRecovery = askedOf({ activity: asked, intent: newest }) === 'recoverySet'
  const isNeverRefused = takesAway(settled) || isRejection(asked) || isOfRecovery
  const isBound = !logsIn && !isNeverRefused
  return {
    // Otherwise a sub-organization without a quota of its own could use up its parent's day with requests that are
    // never refused.
    organizationIds: isBound ? audience : [row.organizationId],
    requests: counts ? 1 : 0,
    cost: counts ? cost : 0,
    isBound,
    ...(isNeverRefused || jobs.length === 0
      ? {}
      : { messages: { count: jobs.length, ...askedBy(homeId, row.organizationId, audience) } }),
    now: world.now(),
  }
}

/**
 * Users of a parent ask in a sub-organization as well: they must not lack what the users of another one have used up.
 */
function askedBy(
  homeId: string,
  organizationId: string,
  audience: readonly string[],
): Pick<NonNullable<Charge['messages']>, 'askedIn' | 'parentId'> {
  return { askedIn: homeId, parentId: homeId === organizationId ? audience[1] : undefined }
}

/**
 * An update of the organization removes a feature, so any root user can stop a recovery. A user has to leave the root
 * quorum before being deleted, and the last key of such a user cannot be deleted before.
 */
function takesAway({ action, operation }: Activity): boolean {
  return action === 'DELETE' || operation.startsWith('remove_') || operation === 'update_root_quorum'
}

function isRejection({ vote }: Activity): boolean {
  return vote?.selection === 'VOTE_SELECTION_REJECTED'
}
