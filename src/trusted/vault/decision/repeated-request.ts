import { assert } from '../../base/assert.ts'
import type { ErrorBody } from '../../base/failure.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { governingCharter, type RequestContext } from '../authentication/request-context.ts'
import { organizationNotFound } from '../failures.ts'
import { seeRecord } from '../records/see-record.ts'
import { peopleOf, votesOf } from '../records/votes.ts'
import type { Judged } from './judged.ts'
import { isWaiting } from './record.ts'
import { checkRequestIsLive } from './request-is-live.ts'
import { castVote } from './vote.ts'

/**
 * The same bytes are the same request, and have one record: the store's index over organization, timestamp and
 * fingerprint is unique. The sender of the request gets the record as it stands. The same bytes from another user who
 * may vote are an approval.
 */
export async function repeatedRequest(context: RequestContext, earlier: ActivityRow): Promise<Judged> {
  const { vaultContext, identity, request, submission, now } = context
  seeRecord(vaultContext, earlier, now)
  assert(
    earlier.fingerprint === submission.fingerprint && earlier.organizationId === submission.organizationId,
    'the record that was brought is of these bytes',
  )
  const { userId } = identity.user
  const waits = isWaiting(earlier.status)
  if (waits && context.compiled.charter.deleted)
    throw organizationNotFound({ organizationId: submission.organizationId })
  const votes = waits ? votesOf(earlier.votes) : []
  const mayVote = waits && identity.compiled === governingCharter(context, peopleOf(earlier, votes))
  if (mayVote && !votes.some((vote) => vote.userId === userId)) {
    checkRequestIsLive(context)
    return await castVote(
      { ...context, request: { ...request, target: earlier } },
      {
        selection: 'VOTE_SELECTION_APPROVED',
        fingerprint: () => earlier.fingerprint,
      },
    )
  }
  return {
    kind: 'settled',
    row: earlier,
    userId,
    ...(isRefusal(earlier) ? { error: refusalOf(earlier) } : {}),
  }
}

/** Denied when it was submitted. An activity that failed after its approval stays visible to its voters. */
function isRefusal(row: ActivityRow): boolean {
  return row.status === 'ACTIVITY_STATUS_FAILED' && row.awaited === 0
}

function refusalOf(row: ActivityRow): ErrorBody {
  // The vault wrote it with `failureText`, of an error body.
  return JSON.parse(row.failure ?? '{}') as ErrorBody
}
