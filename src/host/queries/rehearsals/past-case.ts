import { present } from '../../../trusted/base/assert.ts'
import type { RehearsalCase } from '../../../trusted/catalogue/rehearsal.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { votesOf } from '../../../trusted/vault/votes.ts'

/** A recorded request with everyone who has approved it, at the instant of its last vote. */
export function pastCase(row: ActivityRow): RehearsalCase {
  const votes = votesOf(row.votes)
  const approvals = votes.filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
  const users = new Map(approvals.map(({ userId, publicKey }) => [userId, { userId, publicKey }]))
  return {
    // Its first vote carries the request itself.
    body: present(votes[0], 'the first vote of an activity').message,
    approvers: [...users.values()],
    at: row.updatedAt,
    wasCarriedOut: row.status === 'ACTIVITY_STATUS_COMPLETED',
  }
}
