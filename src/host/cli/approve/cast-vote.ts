import type { CheckedActivity } from '../../approval/checked-activity.ts'
import { printable } from '../policies/printable.ts'
import { activityIn } from '../signed-activity.ts'
import { type Caller, signedRequest } from '../signed-query.ts'

/**
 * Votes on the fingerprint that was computed here, and returns the outcome from the service.
 *
 * @throws ServiceError
 */
export async function castVote(
  caller: Caller,
  selection: 'approve' | 'reject',
  { fingerprint }: CheckedActivity,
  now: number,
): Promise<string> {
  const { organizationId } = caller
  const operation = `${selection}_activity`
  const answer = await signedRequest(caller, `submit/${operation}`, {
    type: `ACTIVITY_TYPE_${operation.toUpperCase()}`,
    timestampMs: String(now),
    organizationId,
    parameters: { fingerprint: fingerprint.text },
  })
  const settled =
    typeof answer === 'object' && answer !== null && 'activity' in answer ? answer.activity : undefined
  const status = activityIn(settled)?.status ?? 'an answer without a status'
  return `${selection === 'approve' ? 'Approved' : 'Rejected'}. The service says: ${printable(status)}`
}
