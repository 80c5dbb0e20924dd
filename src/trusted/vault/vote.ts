import { present } from '../base/assert.ts'
import { costs } from '../base/costs.ts'
import { utf8 } from '../base/bytes.ts'
import { type ErrorBody, errorBody, Failure } from '../base/failure.ts'
import { idAt } from '../base/ids.ts'
import type { Activity, Requester } from '../catalogue/activity.ts'
import { readSubmission, type Submission } from '../catalogue/submission.ts'
import type { ActivityRow } from '../catalogue/unit.ts'
import { activityFacts } from '../catalogue/vocabulary.ts'
import type { Approval } from '../policy/people.ts'
import type { Steps } from '../base/work.ts'
import type { Facts } from '../policy/types.ts'
import { allowed } from './allowed.ts'
import { authorize } from './authorize.ts'
import { type Changes, noChanges } from './carry-out.ts'
import { decidedOn } from './decided.ts'
import {
  activitySettled,
  activityWaitedTooLong,
  noSuchFingerprint,
  notAllowed,
  organizationMismatch,
  voteTooLong,
  votesTooLong,
} from './failures.ts'
import { factsOf, preparedOf } from './facts.ts'
import { audienceOf, chartersOf, courtOf, type Hearing } from './hearing.ts'
import { limitReached } from './limit-reached.ts'
import { isSameProof, mfaNote } from './mfa.ts'
import { type OpenedRows, openRows } from './open-rows.ts'
import { type ProvenVote, provenApprovals } from './proven-approvals.ts'
import {
  evaluationText,
  failureText,
  isWaiting,
  type Judged,
  type MfaNote,
  refusedRecord,
  resultTexts,
} from './record.ts'
import { isInScope, OUT_OF_SCOPE } from './scope.ts'
import { checkActivity, sealActivity } from './seals.ts'
import { approvalOf, type Standing } from './standing.ts'
import { provenContactOf, tokenIdOf } from './token-votes.ts'
import { unlessHopeless } from './unless-hopeless.ts'
import type { Verdict } from './verdict.ts'
import { usageAt, usesOf } from './usage.ts'
import { type OpenedMeters, openMeters } from './usage-meters.ts'
import { appendVote, hasWaitedTooLong, type Vote as CastVote, votesOf, voteText } from './votes.ts'

type Vote = NonNullable<Activity['vote']>

/** Counts an approval or a rejection of an activity that waits, and settles it when that decides it. */
export async function castVote(hearing: Hearing, vote: Vote): Promise<Judged> {
  const { judge, request, submission, identity, work } = hearing
  const target = request.target
  const mismatch = {
    target: submission.organizationId,
    voter: identity.standing.charter.organizationId,
  }
  const isAddressed =
    target?.fingerprint === vote.fingerprint(submission.newest) && target.organizationId === mismatch.target
  if (!isAddressed)
    throw identity.standing === hearing.standing ? noSuchFingerprint() : organizationMismatch(mismatch)
  checkActivity(judge.keyring, target)
  judge.memory.seeRecord(target, hearing.now)
  const votes = votesOf(target.votes)
  work.charge(target.votes.length * costs.voteCharacter + votes.length * costs.vote)
  const first = present(votes[0], 'the first vote of an activity')
  const court = courtOf(hearing, first.userId)
  if (identity.standing !== court) throw organizationMismatch(mismatch)
  const { userId } = identity.user
  const mine = votes.filter((cast) => cast.userId === userId)
  // The same vote again changes nothing.
  if (mine.some((cast) => cast.message === request.body)) return { kind: 'settled', row: target, userId }
  if (!isWaiting(target.status)) {
    if (mine.length > 0) return { kind: 'settled', row: target, userId }
    throw activitySettled({ status: target.status })
  }
  checkLength(request.body, { isRepeated: submission.activity.vote === undefined, votes: target.votes })
  if (vote.selection === 'VOTE_SELECTION_APPROVED' && hasWaitedTooLong(votes, hearing.now))
    throw activityWaitedTooLong()
  const scoped = [activityFacts(submission.activity, submission)]
  if (!(await work.through(isInScope(identity, scoped)))) return refusedRecord(hearing, OUT_OF_SCOPE)

  // Its bytes may name the parent of the organization that it was found to be about.
  const { organizationId } = target
  const original = { ...readSubmission(utf8(first.message), judge.types), organizationId }
  const needs = original.activity.needs?.(original.newest, tokenIdOf(first)) ?? {}
  const brought = { ...request, now: hearing.now }
  const rows = await work.through(openRows(judge, target.organizationId, needs, brought))
  try {
    const weighed = () => weigh(hearing, vote, { target, votes, first, court, original, rows })
    // The proposer may always take it back.
    return userId === first.userId ? await weighed() : await unlessHopeless(hearing, original, weighed)
  } finally {
    rows.wipe()
  }
}

const VOTE_CHARACTERS_MAX = 16 * 1024
const REPEATED_CHARACTERS_MAX = 2 * 1024 * 1024

/**
 * Every vote is kept with its bytes and read again at each later one. A vote that repeats the request may be as long as that
 * was; together they end where an approval by each of a hundred users still has room beside them.
 */
function checkLength(body: string, of: { readonly isRepeated: boolean; readonly votes: string }): void {
  if (!of.isRepeated && body.length > VOTE_CHARACTERS_MAX) throw voteTooLong({ max: VOTE_CHARACTERS_MAX })
  if (of.isRepeated && of.votes.length + body.length > REPEATED_CHARACTERS_MAX) throw votesTooLong()
}

/** The activity that is voted on, and everything known of it. */
type Ballot = {
  readonly target: ActivityRow
  readonly votes: readonly CastVote[]
  readonly first: CastVote
  readonly court: Standing
  readonly original: Submission
  readonly rows: OpenedRows
}

async function weigh(hearing: Hearing, vote: Vote, ballot: Ballot): Promise<Judged> {
  const { judge, identity, request, now, work } = hearing
  const { target, votes, court, original, rows } = ballot
  const { activity, newest } = original
  const proposerId = ballot.first.userId
  const prepared = await work.through(preparedOf(original, rows))
  const facts = factsOf(original, rows, { prepared, proposerId })
  const uses = await work.through(usesOf(court, facts))
  const meters = openMeters(judge, uses, request.meters, now)
  if ('missing' in meters) return { kind: 'meters', ids: meters.missing }
  const earlier = await provenApprovals(court, votes, judge.service, now)
  const { user } = identity
  const ownVotes = earlier.filter((one) => one.user.userId === user.userId)
  const own = ownVotes.map(({ method }) => method)
  const before = await work.through(mfaNote(user, facts, own, court))
  const mfa = await work.through(mfaNote(user, facts, [...own, identity.method], court))
  const others = await work.through(
    countedApprovals(
      earlier.filter((one) => !ownVotes.includes(one)),
      facts,
      court,
    ),
  )
  // What was shown earlier counts as soon as all of it is there: consensus may ask for that very credential.
  const shown = mfa?.satisfied === false ? [] : ownVotes.map(({ approval }) => approval)
  const isApproval = vote.selection === 'VOTE_SELECTION_APPROVED'
  const voter = approvalOf(user, [identity.credential])
  const asked = {
    activity,
    intent: newest,
    facts,
    standing: court,
    approvals: [...others, ...shown, voter],
    voter,
    proposerId,
    now,
    usageAt: (at: number) => usageAt(at, meters.uses, (use) => meters.before(use)),
  }
  const verdict = await authorize(asked, work)
  // Another vote beside one that counts changes nothing, unless what it waited for is no longer asked. One that still has to
  // be proven may be proven now, by what has not been shown yet.
  const addsNothing =
    before?.satisfied === false
      ? own.some((proof) => isSameProof(proof, identity.method))
      : own.length > 0 && verdict.kind !== 'allow'
  if (isApproval && addsNothing) return { kind: 'settled', row: target, userId: user.userId }
  // The proposer may always take it back.
  if (!isApproval && (user.userId === proposerId || verdict.kind !== 'deny')) return rejected(hearing, ballot)
  if (verdict.kind === 'deny') {
    // Someone else's copy of these very bytes has their record already, and there is only one of them.
    const isCopy = request.earlier !== undefined
    const limit = await limitReached(asked, meters, verdict, work)
    return isCopy
      ? { kind: 'refused', error: errorBody(notAllowed({ ...verdict, limit })) }
      : refusedRecord(hearing, verdict, limit)
  }
  if (mfa?.satisfied === false)
    return counted(hearing, ballot, verdict, { status: 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED', mfa })
  const note = mfa === undefined ? {} : { mfa }
  if (verdict.kind === 'wait')
    return counted(hearing, ballot, verdict, { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', ...note })
  return await settled(hearing, { ...ballot, meters, prepared }, verdict, note)
}

/** The approvals of those who have proven as much as their own MFA policies ask for. */
function* countedApprovals(
  votes: readonly ProvenVote[],
  facts: readonly Facts[],
  court: Standing,
): Steps<readonly Approval[]> {
  const counted: Approval[] = []
  for (const { user, approval } of votes) {
    const proofs = votes.filter((one) => one.user.userId === user.userId).map(({ method }) => method)
    const note = yield* mfaNote(user, facts, proofs, court)
    if (note?.satisfied !== false) counted.push(approval)
  }
  return counted
}

/** Approved: carried out now, under the charter of now. What fails now is recorded, for all who voted to see. */
async function settled(
  hearing: Hearing,
  ballot: Ballot & { readonly meters: OpenedMeters; readonly prepared: unknown },
  verdict: Extract<Verdict, { kind: 'allow' }>,
  note: { readonly mfa?: MfaNote },
): Promise<Judged> {
  const { original, rows, first, court } = ballot
  const failed = (failure: Failure, changes?: Changes): Judged =>
    counted(hearing, ballot, verdict, {
      status: 'ACTIVITY_STATUS_FAILED',
      failure: errorBody(failure),
      ...(changes === undefined ? {} : { changes }),
      ...note,
    })
  try {
    const carried = await allowed(hearing, original, {
      rows,
      prepared: ballot.prepared,
      requester: requesterOfVote(first, court),
    })
    if (carried.kind === 'asks') return carried
    const { outcome } = carried
    if ('failure' in outcome) return failed(outcome.failure, outcome.changes)
    const texts = resultTexts(original, outcome.result)
    const changes = ballot.meters.counted(outcome.changes, hearing.judge)
    return counted(hearing, ballot, verdict, {
      status: 'ACTIVITY_STATUS_COMPLETED',
      ...texts,
      changes,
      ...note,
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return failed(error)
  }
}

/** Who made the request, as far as the first vote still tells: the type of a credential that is gone is nobody's. */
function requesterOfVote(first: CastVote, court: Standing): Requester {
  const provenContact = provenContactOf(first)
  const credential = court.holders.get(first.publicKey)?.credential
  return {
    userId: first.userId,
    organizationId: court.charter.organizationId,
    credentialType: credential?.type ?? '',
    credentialId: credential?.id ?? '',
    ...(provenContact === undefined ? {} : { provenContact }),
  }
}

function rejected(hearing: Hearing, ballot: Ballot): Judged {
  return recorded(
    hearing,
    ballot,
    'VOTE_SELECTION_REJECTED',
    { evaluations: [] },
    { status: 'ACTIVITY_STATUS_REJECTED' },
  )
}

type Settlement = {
  readonly status: ActivityRow['status']
  readonly result?: string
  readonly answer?: string
  readonly failure?: ErrorBody
  readonly changes?: Changes
  readonly mfa?: MfaNote
}

function counted(
  hearing: Hearing,
  ballot: Ballot,
  verdict: Exclude<Verdict, { kind: 'deny' }>,
  settlement: Settlement,
): Judged {
  const others = verdict.kind === 'wait' ? verdict.voters : []
  const isUnproven = settlement.status === 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
  const voters = isUnproven ? [hearing.identity.user.userId, ...others] : others
  return recorded(
    hearing,
    ballot,
    'VOTE_SELECTION_APPROVED',
    { evaluations: verdict.evaluations, voters },
    settlement,
  )
}

function recorded(
  hearing: Hearing,
  { target, court, original, first }: Ballot,
  selection: 'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED',
  vote: { readonly evaluations: Verdict['evaluations']; readonly voters?: readonly string[] },
  settlement: Settlement,
): Judged {
  const { judge, request, standing, identity, now } = hearing
  const id = idAt(now, judge.world.randomBytes)
  const { activityId } = target
  const cast = voteText({ id, activityId, selection, body: request.body, identity, now })
  const { evaluations } = vote
  const decided = decidedOn(hearing, original.activity, court, evaluations)
  const evaluation = evaluationText({ ...settlement, voteId: id, now, evaluations, decided })
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
  const changes = settlement.changes ?? noChanges(chartersOf(hearing, original.activity, court))
  const audience = audienceOf(standing.charter)
  const { userId } = identity.user
  // The proposer may settle it by a further proof of their own. It is not for somebody who only voted.
  const { answer } = first.userId === userId ? settlement : {}
  return {
    kind: 'commit',
    unit: { ...changes, activity: { row, replaces: target.revision, audience } },
    userId,
    ...(answer === undefined ? {} : { answer }),
  }
}
