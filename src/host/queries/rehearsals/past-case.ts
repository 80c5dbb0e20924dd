import { present } from '../../../trusted/base/assert.ts'
import { defineFailure, FAILED_PRECONDITION, type Failure, NOT_FOUND } from '../../../trusted/base/failure.ts'
import type { RehearsalCase } from '../../../trusted/catalogue/rehearsal.ts'
import { fingerprintOf } from '../../../trusted/catalogue/submission.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { votedAt, votesOf } from '../../../trusted/vault/records/votes.ts'

/** The request was removed with the personal data of an erased user. */
const requestErased = defineFailure<{ readonly activityId: string }>({
  kind: 'requestErased',
  code: NOT_FOUND,
  say: ({ activityId }) =>
    `the request of activity ${activityId} was erased, so it cannot be evaluated any more`,
})

/** Of a large request that was refused the vault keeps the beginning, without its intent. */
const requestShortened = defineFailure<{ readonly activityId: string }>({
  kind: 'requestShortened',
  code: FAILED_PRECONDITION,
  say: ({ activityId }) =>
    `only the beginning of the request of activity ${activityId} is stored, because it was refused and is long, so it cannot be evaluated`,
})

/** Why the request of a record cannot be judged again; undefined where it is there. */
export function requestMissing({ activityId, votes, intent, fingerprint }: ActivityRow): Failure | undefined {
  const body = votesOf(votes)[0]?.message ?? ''
  if (body === '') return requestErased({ activityId })
  const isWhole = intent !== '{}' || fingerprintOf(body) === fingerprint
  return isWhole ? undefined : requestShortened({ activityId })
}

/** A recorded request with all its approvals, at the instant of the last one. */
export function pastCase(row: ActivityRow): RehearsalCase {
  const votes = votesOf(row.votes)
  const approvals = votes.filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
  // A user may have shown several credentials, of which a consensus may ask for any.
  const approvers = approvals.map((vote) => ({
    userId: vote.userId,
    publicKey: vote.publicKey,
    castAt: votedAt(vote),
  }))
  return {
    // Its first vote has the request itself.
    body: present(votes[0], 'the first vote of an activity').message,
    approvers,
    at: approvers.at(-1)?.castAt ?? row.updatedAt,
    wasCarriedOut: row.status === 'ACTIVITY_STATUS_COMPLETED',
  }
}
