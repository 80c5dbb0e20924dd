import type { Costed, Decision } from '../../protocol/vault.ts'
import type { Activity } from '../../trusted/catalogue/activity.ts'
import type { Charge } from '../store/quotas/quota.ts'
import type { Host } from './host.ts'

/**
 * What a decided request counts for under the quotas of its organization and of its parent.
 *
 * A denied request counts nothing: a member without rights uses up nobody's quota. Neither does logging in, which strangers ask for
 * through the auth proxy. A quota that is used up refuses neither that, nor what takes something away: by these an organization helps
 * itself when somebody has stolen a key and used up the day.
 *
 * @param asked  the activity that was submitted: it may be a vote on another
 */
export function chargeOf(
  { types, world }: Pick<Host, 'types' | 'world'>,
  asked: Activity,
  { unit, cost }: Costed<Extract<Decision, { readonly kind: 'commit' }>>,
): Charge | undefined {
  const { activity } = unit
  if (activity === undefined) return undefined
  const { row, audience } = activity
  const settled = types.get(row.type)?.activity ?? asked
  const counts = row.status !== 'ACTIVITY_STATUS_FAILED' && !isLogin(settled)
  return {
    organizationIds: audience,
    requests: counts ? 1 : 0,
    cost: counts ? cost : 0,
    isBound: !isLogin(settled) && settled.action !== 'DELETE' && !isRejection(asked),
    now: world.now(),
  }
}

const LOGIN_RESOURCES: ReadonlySet<string> = new Set(['AUTH', 'OTP', 'RECOVERY'])

function isLogin({ resource }: Activity): boolean {
  return LOGIN_RESOURCES.has(resource)
}

function isRejection({ vote }: Activity): boolean {
  return vote?.selection === 'VOTE_SELECTION_REJECTED'
}
