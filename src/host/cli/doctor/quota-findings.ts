import type { QuotaAnswer } from '../../quotas/quota-orders.ts'
import type { Finding } from './finding.ts'

/**
 * How many organizations are at a quota, or near one. It is no fault of the service, which has such a bound to keep it:
 * an organization could otherwise prevent the start of a service before which doctor runs.
 */
export function quotaFindings(answer: QuotaAnswer): readonly Finding[] {
  if (answer.kind !== 'near') return []
  const { full, nearlyFull } = answer
  if (full + nearlyFull === 0) return []
  return [
    {
      mark: 'ok',
      text: `quotas: organizations at a quota: ${full} full, ${nearlyFull} nearly full; claviger quota near lists them`,
    },
  ]
}
