import { present } from '../../../trusted/base/assert.ts'
import { defineFailure, NOT_FOUND } from '../../../trusted/base/failure.ts'
import type { RehearsalCase } from '../../../trusted/catalogue/rehearsal.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { votesOf } from '../../../trusted/vault/records/votes.ts'

/** The request was removed with the personal data of an erased user. */
export const requestErased = defineFailure<{ readonly activityId: string }>({
  kind: 'requestErased',
  code: NOT_FOUND,
  say: ({ activityId }) =>
    `the request of activity ${activityId} was erased, so it cannot be evaluated any more`,
})

export function isRequestErased({ votes }: ActivityRow): boolean {
  return votesOf(votes)[0]?.message === ''
}

/** A recorded request with all its approvals, at the instant of its last vote. */
export function pastCase(row: ActivityRow): RehearsalCase {
  const votes = votesOf(row.votes)
  const approvals = votes.filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
  // A user may have shown several credentials, of which a consensus may ask for any.
  const shown = new Map(
    approvals.map(({ userId, publicKey }) => [`${userId} ${publicKey}`, { userId, publicKey }]),
  )
  return {
    // Its first vote has the request itself.
    body: present(votes[0], 'the first vote of an activity').message,
    approvers: [...shown.values()],
    at: row.updatedAt,
    wasCarriedOut: row.status === 'ACTIVITY_STATUS_COMPLETED',
  }
}
