import type { Costed, Decision } from '../../protocol/vault.ts'
import type { Activity } from '../../trusted/catalogue/activity.ts'
import type { Submission } from '../../trusted/catalogue/submission.ts'
import { askedOf } from '../../trusted/vault/authentication/asked-of.ts'
import type { Charge } from '../store/quotas/quota.ts'
import type { Host } from './host.ts'

/**
 * What a decided request counts for under the quotas of its organization and of its parent.
 *
 * A denied request counts nothing: else a member would use up the day by asking for what nobody allows. Neither does
 * logging in, which strangers ask for through the auth proxy. A quota that is used up refuses neither that, nor what
 * takes something away or changes the root quorum: by these an organization helps itself when somebody has stolen a key
 * and used up the day. Nor does it refuse the people of a recovery set, who come when nobody is left to do so.
 *
 * @param submission  what was submitted: it may be a vote on another activity
 */
export function chargeOf(
  { types, world }: Pick<Host, 'types' | 'world'>,
  { activity: asked, newest }: Pick<Submission, 'activity' | 'newest'>,
  { unit, cost }: Costed<Extract<Decision, { readonly kind: 'commit' }>>,
): Charge | undefined {
  const { activity } = unit
  if (activity === undefined) return undefined
  const { row, audience } = activity
  const settled = types.get(row.type)?.activity ?? asked
  const logsIn = settled.logsIn === true
  const counts = row.status !== 'ACTIVITY_STATUS_FAILED' && !logsIn
  const isOfRecovery = askedOf({ activity: asked, intent: newest }) === 'recoverySet'
  const isBound = !logsIn && !takesAway(settled) && !isRejection(asked) && !isOfRecovery
  return {
    // No quota of its own would keep a sub-organization from using up its parent's day by what is never refused.
    organizationIds: isBound ? audience : [row.organizationId],
    requests: counts ? 1 : 0,
    cost: counts ? cost : 0,
    isBound,
    now: world.now(),
  }
}

/**
 * A feature is removed by an update of its organization: so any root user stops a recovery that is under way. A user is
 * taken out of the root quorum before they can be deleted, and their last key is not deleted before.
 */
function takesAway({ action, operation }: Activity): boolean {
  return action === 'DELETE' || operation.startsWith('remove_') || operation === 'update_root_quorum'
}

function isRejection({ vote }: Activity): boolean {
  return vote?.selection === 'VOTE_SELECTION_REJECTED'
}
