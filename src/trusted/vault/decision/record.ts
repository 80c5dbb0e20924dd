import { type ErrorBody, errorBody } from '../../base/failure.ts'
import { idAt } from '../../base/ids.ts'
import type { Submission } from '../../catalogue/submission.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { type Changes, noChanges } from './changes.ts'
import { type Decided, decidedOn } from './decision-basis.ts'
import { randomBytesAt } from './drawing.ts'
import { notAllowed } from '../failures.ts'
import type { LimitReached, Verdict } from './verdict.ts'
import type { MfaNote } from './mfa.ts'
import { audienceOf, chartersOf, type RequestContext } from '../authentication/request-context.ts'
import type { Judged } from './judged.ts'
import { sealActivity } from '../seals/seals.ts'
import { stamperOf } from '../authentication/stamper-of.ts'
import { voteText } from '../records/votes.ts'

/**
 * A refusal is recorded: the same bytes will be refused again, and the organization can see the refused request. A copy
 * of the bytes of an activity, from another sender, has the record of that activity, and there is only one for them.
 */
export function refusedRecord(
  context: RequestContext,
  { evaluations, deniedBy }: Extract<Verdict, { kind: 'deny' }>,
  limit?: LimitReached,
): Judged {
  if (context.request.earlier !== undefined)
    return { kind: 'refused', error: errorBody(notAllowed({ evaluations, deniedBy, limit })) }
  const activityId = newActivityId(context, 'refused')
  const error = errorBody(notAllowed({ evaluations, deniedBy, limit, activityId }))
  const row = newRecord(context, {
    activityId,
    status: 'ACTIVITY_STATUS_FAILED',
    failure: error,
    evaluations,
    kept: boundedRequest(context),
  })
  return newActivity(context, row, noChanges(chartersOf(context)), { error })
}

/** The part of the request in its record: its bytes, and its intent as JSON. */
type KeptRequest = { readonly body: string; readonly intent: string }

/**
 * A refused request gets no votes, so its record does not have to prove the stamp again: of a large request it keeps
 * the beginning, and the digest of the whole as the fingerprint. Otherwise a user without rights could fill the store.
 */
function boundedRequest({ request: { body }, submission }: RequestContext): KeptRequest {
  if (body.length <= REFUSED_CHARACTERS_MAX) return wholeRequest(body, submission)
  const beginning = body.slice(0, REFUSED_BEGINNING_CHARACTERS)
  // No half of a surrogate pair is left at the end.
  return { body: beginning.isWellFormed() ? beginning : beginning.slice(0, -1), intent: '{}' }
}

const REFUSED_CHARACTERS_MAX = 16 * 1024
const REFUSED_BEGINNING_CHARACTERS = 2 * 1024

function wholeRequest(body: string, { intent }: Submission): KeptRequest {
  return { body, intent: JSON.stringify(intent) }
}

/** The decision that commits a new record. */
export function newActivity(
  { compiled, identity }: RequestContext,
  row: ActivityRow,
  changes: Changes,
  told: { readonly error?: ErrorBody; readonly answer?: string } = {},
): Judged {
  return {
    kind: 'commit',
    unit: { ...changes, activity: { row, replaces: null, audience: audienceOf(compiled.charter) } },
    ...stamperOf(identity),
    ...told,
  }
}

/** The record of a refusal has its own random bytes, so that it does not change those of accepted requests. */
type RecordKind = 'record' | 'refused'

function newActivityId(context: RequestContext, kind: RecordKind): string {
  return idAt(context.now, randomBytesOf(context, kind))
}

function randomBytesOf({ vaultContext, submission, identity }: RequestContext, kind: RecordKind) {
  const { organizationId, activity } = submission
  const { userId } = identity.user
  return randomBytesAt(vaultContext, () => ({
    organizationId,
    userId,
    kind: `${activity.operation} ${kind}`,
  }))
}

/** The sealed record of a new request, with its sender's vote in it. */
export function newRecord(
  context: RequestContext,
  outcome: {
    /** A new id by default. */
    readonly activityId?: string
    readonly status: ActivityRow['status']
    readonly result?: string
    readonly failure?: ErrorBody
    readonly evaluations: Verdict['evaluations']
    readonly voters?: readonly string[]
    readonly mfa?: MfaNote
    /** The whole request by default. */
    readonly kept?: KeptRequest
  },
): ActivityRow {
  const { vaultContext, request, submission, identity, now } = context
  const decided = decidedOn(context, identity.compiled, outcome.evaluations)
  const { body, intent } = outcome.kept ?? wholeRequest(request.body, submission)
  const kind = outcome.status === 'ACTIVITY_STATUS_FAILED' ? 'refused' : 'record'
  const { activityId = newActivityId(context, kind) } = outcome
  const voteId = idAt(now, randomBytesOf(context, kind))
  const vote = voteText({
    id: voteId,
    activityId,
    selection: 'VOTE_SELECTION_APPROVED',
    body,
    identity,
    now,
  })
  return sealActivity(vaultContext.keyring, {
    organizationId: submission.organizationId,
    activityId,
    fingerprint: submission.fingerprint,
    timestampMs: submission.timestampMs,
    type: submission.type,
    status: outcome.status,
    awaited: isWaiting(outcome.status) ? 1 : 0,
    revision: 1,
    createdAt: now,
    updatedAt: now,
    intent,
    result: outcome.result ?? null,
    failure: outcome.failure === undefined ? null : failureText(outcome.failure),
    votes: `[${vote}]`,
    evaluations: `[${evaluationText({ voteId, now, decided, ...outcome })}]`,
    voters: JSON.stringify(outcome.voters ?? []),
  })
}

/** Whether an activity with this status waits for votes or for MFA proofs. */
export function isWaiting(status: ActivityRow['status']): boolean {
  return status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED' || status === 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
}

/**
 * The judgement of a vote and its basis, as JSON. While the activity waits its status is included, so that this state
 * can be shown later.
 */
export function evaluationText(judged: {
  readonly voteId: string
  readonly now: number
  readonly status: ActivityRow['status']
  readonly evaluations: Verdict['evaluations']
  readonly decided: Decided
  readonly mfa?: MfaNote
}): string {
  const { voteId, now: createdAt, status, evaluations: policyEvaluations, decided, mfa } = judged
  return JSON.stringify({
    voteId,
    createdAt,
    policyEvaluations,
    decided,
    ...(isWaiting(status) ? { status } : {}),
    ...(mfa === undefined ? {} : { mfa }),
  })
}

/** `failure` on a record is a gRPC status: code, message, details. */
export function failureText({ code, message, details }: ErrorBody): string {
  return JSON.stringify({ code, message, details })
}

/** The result as the record keeps it, and, where the owner gets more, the result as the owner gets it. */
export function resultTexts(
  { activity, form }: Submission,
  result: unknown,
): { readonly result: string; readonly answer?: string } {
  const text = (of: unknown) => JSON.stringify({ [form.resultKey]: form.down(of) })
  if (activity.withoutBearer === undefined) return { result: text(result) }
  return { result: text(activity.withoutBearer(result)), answer: text(result) }
}
