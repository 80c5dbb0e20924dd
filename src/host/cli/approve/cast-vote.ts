import type { CheckedActivity } from '../../approval/checked-activity.ts'
import { voteBody } from '../../approval/vote.ts'
import { printable } from '../policies/printable.ts'
import { activityIn } from '../signed-activity.ts'
import { type Caller, signedRequest } from '../signed-query.ts'

/** Votes on the fingerprint that was computed here, and says what the service makes of it. @throws ServiceError */
export async function castVote(
  caller: Caller,
  selection: 'approve' | 'reject',
  { fingerprint }: CheckedActivity,
  now: number,
): Promise<string> {
  const { organizationId } = caller
  const { operation, body } = voteBody({ selection, fingerprint, organizationId, now })
  const answer = await signedRequest(caller, `submit/${operation}`, JSON.parse(body) as object)
  const settled =
    typeof answer === 'object' && answer !== null && 'activity' in answer ? answer.activity : undefined
  const status = activityIn(settled)?.status ?? 'an answer without a status'
  return `${selection === 'approve' ? 'Approved' : 'Rejected'}. The service says: ${printable(status)}`
}
