import type { AuthProxyConfig } from '../../auth-proxy/config.ts'
import type { QuotaOrder } from '../../quotas/quota-orders.ts'
import { EVERY_ORGANIZATION } from '../../store/quotas/settings.ts'

/**
 * The configurations of the auth proxy through which strangers could use up a new quota: each sign-up takes from it.
 */
export function signUpNotes(
  configs: readonly Pick<AuthProxyConfig, 'configId' | 'organizationId' | 'allow' | 'signUps'>[],
  order: QuotaOrder,
): readonly string[] {
  if (order.do !== 'set') return []
  const { subject, change } = order
  const wanted = [change.requests, change.cost, change.subOrganizations]
  if (!wanted.some((most) => typeof most === 'number')) return []
  return configs
    .filter(
      ({ organizationId, allow, signUps }) =>
        allow.signup &&
        signUps.perDay === undefined &&
        [organizationId, EVERY_ORGANIZATION].includes(subject),
    )
    .map(
      ({ configId, organizationId }) =>
        `note: strangers who sign up through the auth proxy (${configId}) use up quotas of ${organizationId}: bound them with signUps.perDay`,
    )
}
