import { type ErrorBody, errorBody } from '../base/failure.ts'
import { idAt } from '../base/ids.ts'
import type { Submission } from '../catalogue/submission.ts'
import type { ActivityRow } from '../catalogue/unit.ts'
import { noChanges } from './carry-out.ts'
import { notAllowed } from './failures.ts'
import type { Hearing } from './hearing.ts'
import type { Decision } from './protocol.ts'
import { sealActivity } from './seals.ts'
import type { Verdict } from './verdict.ts'
import { voteText } from './votes.ts'

/** A refusal is remembered: the same bytes will be refused again, and everyone can see who asked for what. */
export function refusedRecord(hearing: Hearing, verdict: Extract<Verdict, { kind: 'deny' }>): Decision {
  const { standing, identity } = hearing
  const error = errorBody(notAllowed(verdict))
  const row = newRecord(hearing, {
    status: 'ACTIVITY_STATUS_FAILED',
    failure: error,
    evaluations: verdict.evaluations,
  })
  return {
    kind: 'commit',
    unit: { ...noChanges(standing.charter), activity: { row, replaces: null } },
    userId: identity.user.userId,
    error,
  }
}

/** The sealed record of a new request, with its sender's vote in it. */
export function newRecord(
  { judge, request, submission, identity, now }: Hearing,
  outcome: {
    readonly status: ActivityRow['status']
    readonly result?: string
    readonly failure?: ErrorBody
    readonly evaluations: Verdict['evaluations']
    readonly voters?: readonly string[]
  },
): ActivityRow {
  const activityId = idAt(now, judge.world.randomBytes)
  const voteId = idAt(now, judge.world.randomBytes)
  const vote = voteText({
    id: voteId,
    activityId,
    selection: 'VOTE_SELECTION_APPROVED',
    body: request.body,
    identity,
    now,
  })
  return sealActivity(judge.keyring, {
    organizationId: submission.organizationId,
    activityId,
    fingerprint: submission.fingerprint,
    timestampMs: submission.timestampMs,
    type: submission.type,
    status: outcome.status,
    awaited: outcome.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED' ? 1 : 0,
    revision: 1,
    createdAt: now,
    updatedAt: now,
    intent: JSON.stringify(submission.intent),
    result: outcome.result ?? null,
    failure: outcome.failure === undefined ? null : failureText(outcome.failure),
    votes: `[${vote}]`,
    evaluations: JSON.stringify([{ voteId, createdAt: now, policyEvaluations: outcome.evaluations }]),
    voters: JSON.stringify(outcome.voters ?? []),
  })
}

/** `failure` on a record is a gRPC status: code, message, details. */
export function failureText({ code, message, details }: ErrorBody): string {
  return JSON.stringify({ code, message, details })
}

export function resultText(submission: Submission, result: unknown): string {
  const { form } = submission
  return JSON.stringify({ [form.resultKey]: form.down(result) })
}
