import type { QuotaAnswer } from '../../quotas/quota-orders.ts'
import type { Finding } from './finding.ts'

/**
 * The number of organizations at a quota, or near one. It is not a fault of the service: otherwise an organization
 * could prevent the start of a service that runs doctor first.
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
