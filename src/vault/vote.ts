import { type ErrorBody, errorBody, Failure } from '../base/failure.ts'
import { idAt } from '../base/ids.ts'
import type { Activity } from '../catalogue/activity.ts'
import { readSubmission, type Submission } from '../catalogue/submission.ts'
import type { ActivityRow } from '../catalogue/unit.ts'
import { activityFacts } from '../catalogue/vocabulary.ts'
import type { Approval } from '../policy/people.ts'
import { authorize } from './authorize.ts'
import { carryOut, type Changes, noChanges } from './carry-out.ts'
import type { Hearing } from './hearing.ts'
import { failureText, refusedRecord, resultText } from './record.ts'
import { activitySettled, noSuchFingerprint, notAllowed } from './failures.ts'
import { type OpenedRows, openRows } from './open-rows.ts'
import { provenApprovals } from './proven-approvals.ts'
import type { Decision } from './protocol.ts'
import { checkActivity, sealActivity } from './seals.ts'
import { approvalOf } from './standing.ts'
import type { Verdict } from './verdict.ts'
import { appendVote, isFresh, votesOf, voteText } from './votes.ts'
import { utf8 } from '../base/bytes.ts'
import { present } from '../base/assert.ts'

type Vote = NonNullable<Activity['vote']>

/** Counts an approval or a rejection of an activity that waits, and settles it when that decides it. */
export async function castVote(hearing: Hearing, vote: Vote): Promise<Decision> {
  const { judge, request, submission, identity, now } = hearing
  const target = request.target
  if (target === undefined || target.fingerprint !== vote.fingerprint(submission.newest))
    throw noSuchFingerprint()
  if (target.organizationId !== submission.organizationId) throw noSuchFingerprint()
  checkActivity(judge.keyring, target)
  const { userId } = identity.user
  const votes = votesOf(target.votes)
  const mine = votes.filter((cast) => cast.userId === userId)
  // The same vote again, or another one beside it, changes nothing.
  if (mine.some((cast) => cast.message === request.body)) return { kind: 'settled', row: target, userId }
  if (target.status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED') {
    if (mine.length > 0) return { kind: 'settled', row: target, userId }
    throw activitySettled({ status: target.status })
  }
  const isApproval = vote.selection === 'VOTE_SELECTION_APPROVED'
  if (isApproval && mine.some((cast) => isFresh(cast, now))) return { kind: 'settled', row: target, userId }

  const original = readSubmission(
    utf8(present(votes[0], 'the first vote of an activity').message),
    judge.types,
  )
  const rows = openRows(
    judge.keyring,
    original.organizationId,
    original.activity.needs?.(original.newest) ?? {},
    request,
  )
  try {
    const verdict = judged(
      hearing,
      original,
      rows,
      votes[0]?.userId ?? '',
      provenApprovals(hearing.standing, votes, now),
    )
    if (!isApproval && (mine.length > 0 || verdict.kind !== 'deny')) return rejected(hearing, target)
    if (verdict.kind === 'deny') {
      // Someone else's copy of these very bytes has their record already, and there is only one of them.
      const isCopy = request.earlier !== undefined
      return isCopy
        ? { kind: 'refused', error: errorBody(notAllowed(verdict)) }
        : refusedRecord(hearing, verdict)
    }
    if (verdict.kind === 'wait')
      return counted(hearing, target, verdict, { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED' })
    return await settled(hearing, target, original, rows, verdict)
  } finally {
    rows.wipe()
  }
}

function judged(
  { standing, identity }: Hearing,
  original: Submission,
  rows: OpenedRows,
  proposerId: string,
  earlier: readonly Approval[],
): Verdict {
  const { activity, newest, type } = original
  const voter = approvalOf(identity.user, [identity.credential])
  const facts = {
    ...activityFacts(activity, type, newest),
    ...activity.facts?.({ intent: newest, rows: rows.gathered }),
  }
  return authorize({
    activity,
    intent: newest,
    facts,
    standing,
    approvals: [...earlier, voter],
    voter,
    proposerId,
  })
}

/** Approved: carried out now, under the charter of now. What fails now is recorded, for all who voted to see. */
async function settled(
  hearing: Hearing,
  target: ActivityRow,
  original: Submission,
  rows: OpenedRows,
  verdict: Extract<Verdict, { kind: 'allow' }>,
): Promise<Decision> {
  const { judge, request, standing, now } = hearing
  const { activity, newest } = original
  try {
    const witness = await activity.witness?.(newest, hearing.origins)
    const signer = {
      userId: present(votesOf(target.votes)[0], 'the first vote').userId,
      organizationId: original.organizationId,
    }
    const outcome = carryOut(judge, {
      activity,
      intent: newest,
      charter: standing.charter,
      rows,
      witness,
      signer,
      now,
      held: request.held ?? [],
    })
    const result = resultText(original, outcome.result)
    return counted(hearing, target, verdict, {
      status: 'ACTIVITY_STATUS_COMPLETED',
      result,
      changes: outcome.changes,
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return counted(hearing, target, verdict, { status: 'ACTIVITY_STATUS_FAILED', failure: errorBody(error) })
  }
}

function rejected(hearing: Hearing, target: ActivityRow): Decision {
  return recorded(
    hearing,
    target,
    'VOTE_SELECTION_REJECTED',
    { evaluations: [] },
    { status: 'ACTIVITY_STATUS_REJECTED' },
  )
}

type Settlement = {
  readonly status: ActivityRow['status']
  readonly result?: string
  readonly failure?: ErrorBody
  readonly changes?: Changes
}

function counted(
  hearing: Hearing,
  target: ActivityRow,
  verdict: Exclude<Verdict, { kind: 'deny' }>,
  settlement: Settlement,
): Decision {
  const voters = verdict.kind === 'wait' ? verdict.voters : []
  return recorded(
    hearing,
    target,
    'VOTE_SELECTION_APPROVED',
    { evaluations: verdict.evaluations, voters },
    settlement,
  )
}

function recorded(
  { judge, request, standing, identity, now }: Hearing,
  target: ActivityRow,
  selection: 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED',
  vote: { readonly evaluations: Verdict['evaluations']; readonly voters?: readonly string[] },
  settlement: Settlement,
): Decision {
  const id = idAt(now, judge.world.randomBytes)
  const { activityId } = target
  const cast = voteText({ id, activityId, selection, body: request.body, identity, now })
  const evaluation = JSON.stringify({ voteId: id, createdAt: now, policyEvaluations: vote.evaluations })
  const { seal: _, ...before } = target
  const row = sealActivity(judge.keyring, {
    ...before,
    status: settlement.status,
    revision: target.revision + 1,
    updatedAt: now,
    result: settlement.result ?? null,
    failure: settlement.failure === undefined ? null : failureText(settlement.failure),
    votes: appendVote(target.votes, cast),
    evaluations: appendVote(target.evaluations, evaluation),
    voters: JSON.stringify(vote.voters ?? []),
  })
  const changes = settlement.changes ?? noChanges(standing.charter)
  return {
    kind: 'commit',
    unit: { ...changes, activity: { row, replaces: target.revision } },
    userId: identity.user.userId,
  }
}
