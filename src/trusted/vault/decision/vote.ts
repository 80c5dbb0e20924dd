import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import { errorBody, Failure } from '../../base/failure.ts'
import type { Activity, Requester } from '../../catalogue/activity.ts'
import { readSubmission } from '../../catalogue/submission.ts'
import { activityFacts } from '../../catalogue/vocabulary.ts'
import { isRoot } from '../../charter/charter.ts'
import { executeAllowed } from './execute-allowed.ts'
import { authorize } from './authorize.ts'
import type { Changes } from './changes.ts'
import { owedBySender } from './counted-votes.ts'
import {
  activitySettled,
  activityWaitedTooLong,
  noSuchFingerprint,
  organizationMismatch,
  tooManyVotes,
  voteTooLong,
  votesTooLong,
} from '../failures.ts'
import { governingCharter, type RequestContext } from '../authentication/request-context.ts'
import type { Judged } from './judged.ts'
import { limitReached } from './limit-reached.ts'
import type { MfaNote } from './mfa.ts'
import { openCase, openedRows } from './open-case.ts'
import type { OpenedRows } from './open-rows.ts'
import { shownProofs } from './shown-proofs.ts'
import { isWaiting, refusedRecord, resultTexts } from './record.ts'
import { isInScope } from '../authentication/scope.ts'
import { seeRecord } from '../records/see-record.ts'
import { isCode } from '../authentication/attested.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { provenAccountOf, provenContactOf, tokenIdOf } from '../authentication/token-votes.ts'
import { deniedEarlyOr } from './deny-early.ts'
import { DENIED, type Verdict } from './verdict.ts'
import type { OpenedMeters } from '../usage/usage-meters.ts'
import {
  hasWaitedTooLong,
  isFresh,
  peopleOf,
  type Vote as CastVote,
  votedAt,
  votesOf,
} from '../records/votes.ts'
import { counted, rejected, type VotedOn } from './vote-record.ts'

type Vote = NonNullable<Activity['vote']>

/** Counts an approval or a rejection of a waiting activity, and settles the activity when the vote is decisive. */
export async function castVote(context: RequestContext, vote: Vote): Promise<Judged> {
  const { vaultContext, request, submission, identity, work } = context
  const target = request.target
  const mismatch = {
    target: submission.organizationId,
    voter: identity.compiled.charter.organizationId,
  }
  const isAddressed =
    target?.fingerprint === vote.fingerprint(submission.newest) && target.organizationId === mismatch.target
  if (!isAddressed)
    throw identity.compiled === context.compiled ? noSuchFingerprint() : organizationMismatch(mismatch)
  seeRecord(vaultContext, target, context.now)
  work.charge(target.votes.length * costs.voteCharacter)
  const votes = votesOf(target.votes)
  const first = present(votes[0], 'the first vote of an activity')
  const governing = governingCharter(context, peopleOf(target, votes))
  if (identity.compiled !== governing) {
    // The message names the organization beside the addressed one: that of the voter, or the parent whose users vote.
    const { charter } = identity.compiled === context.compiled ? governing : identity.compiled
    throw organizationMismatch({ ...mismatch, voter: charter.organizationId })
  }
  const { userId } = identity.user
  const mine = votes.filter((cast) => cast.userId === userId)
  // The same vote again changes nothing.
  if (mine.some((cast) => cast.message === request.body)) return { kind: 'settled', row: target, userId }
  if (!isWaiting(target.status)) {
    if (mine.length > 0) return { kind: 'settled', row: target, userId }
    throw activitySettled({ status: target.status })
  }
  checkLength(request.body, { isRepeated: submission.activity.vote === undefined, votes: target.votes })
  if (vote.selection === 'VOTE_SELECTION_APPROVED') {
    if (hasWaitedTooLong(votes, context.now)) throw activityWaitedTooLong()
    checkNumber(mine, context.now)
    vaultContext.memory.restored.checkWaiting(target)
  }
  const scoped = [activityFacts(submission.activity, submission)]
  if (!(await work.through(isInScope(identity, scoped)))) return refusedRecord(context, DENIED)

  // Its bytes may name the parent of the organization of the activity.
  const { organizationId } = target
  const original = { ...readSubmission(first.message, vaultContext.types), organizationId }
  const votedOn = { target, governing, original, first }
  // Also what cannot be judged any more, because an object of it is gone. Whether a code is accepted has to be judged.
  const hasToBeJudged = governing.charter.parentId === null && isCode(identity.method)
  if (vote.selection === 'VOTE_SELECTION_REJECTED' && !hasToBeJudged && mayStop(userId, votedOn))
    return rejected(context, votedOn)
  const opening = { submission: original, tokenId: tokenIdOf(first), brought: request, now: context.now }
  const rows = await openedRows(vaultContext, opening, work)
  try {
    const weighed = () => weigh(context, vote, { ...votedOn, votes, rows })
    // What the voter has shown before may count too, and it is not known yet.
    return mine.length > 0 ? await weighed() : await deniedEarlyOr(context, original, weighed)
  } finally {
    rows.wipe()
  }
}

/** The proposer and each root user may always reject. */
function mayStop(userId: string, { first, governing }: VotedOn): boolean {
  return userId === first.userId || isRoot(governing.charter, userId)
}

const VOTES_OF_USER_MAX = 32

/**
 * A user may vote with each credential, and keys can be made and deleted any number of times. All votes of a day are
 * verified at each later one: a few users must not make an activity too expensive for the others to settle.
 */
function checkNumber(mine: readonly CastVote[], now: number): void {
  if (mine.filter((cast) => isFresh(cast, now)).length >= VOTES_OF_USER_MAX)
    throw tooManyVotes({ max: VOTES_OF_USER_MAX })
}

const VOTE_CHARACTERS_MAX = 16 * 1024
const REPEATED_CHARACTERS_MAX = 2 * 1024 * 1024

/**
 * Every vote is stored with its bytes and read again at each later vote. A vote that repeats the request may be as long
 * as the request. The total of such votes is bounded so that approvals by a hundred users still fit.
 */
function checkLength(body: string, of: { readonly isRepeated: boolean; readonly votes: string }): void {
  if (!of.isRepeated && body.length > VOTE_CHARACTERS_MAX) throw voteTooLong({ max: VOTE_CHARACTERS_MAX })
  if (of.isRepeated && of.votes.length + body.length > REPEATED_CHARACTERS_MAX) throw votesTooLong()
}

/** The same with everything that is known of it. */
type VoteContext = VotedOn & { readonly votes: readonly CastVote[]; readonly rows: OpenedRows }

async function weigh(context: RequestContext, vote: Vote, voteContext: VoteContext): Promise<Judged> {
  const { now, work } = context
  const { userId } = context.identity.user
  const { target, governing, original, rows, first } = voteContext
  const opening = { submission: original, rows, proposerId: first.userId, compiled: governing, now }
  const opened = await openCase(opening, work)
  const meters = await context.meters.open(opened.uses, now, work)
  if ('kind' in meters) return meters
  const shown = await shownProofs(context, voteContext, opened.facts)
  const { mfa, addsNothing, wasUnproven } = shown
  const approved = { ...shown.approved, usage: meters }
  const verdict = await authorize(opened, approved, work)
  const isApproval = vote.selection === 'VOTE_SELECTION_APPROVED'
  if (!isApproval && (verdict.kind !== 'deny' || mayStop(userId, voteContext)))
    return rejected(context, voteContext)
  // A second vote of a user whose vote counts changes nothing, unless the activity no longer waits.
  const changesNothing = addsNothing && (wasUnproven || verdict.kind !== 'allow')
  if (isApproval && changesNothing) return { kind: 'settled', row: target, userId }
  if (verdict.kind === 'deny')
    return refusedRecord(context, verdict, await limitReached(opened, approved, verdict, work))
  if (mfa?.satisfied === false)
    return counted(context, voteContext, verdict, { status: 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED', mfa })
  const owed = userId === first.userId ? undefined : await work.through(owedBySender(opened, shown.earlier))
  const note = {
    ...(mfa === undefined ? {} : { mfa }),
    ...(owed === undefined ? {} : { owing: first.userId }),
  }
  if (verdict.kind === 'wait')
    return counted(context, voteContext, verdict, { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', ...note })
  if (owed === undefined)
    return await settled(context, { ...voteContext, meters, prepared: opened.prepared }, verdict, note)
  if (addsNothing) return { kind: 'settled', row: target, userId }
  return counted(context, voteContext, verdict, { status: owed, ...note })
}

/** Approved: carried out now, under the current charter. A failure is recorded, so that all voters can see it. */
async function settled(
  context: RequestContext,
  voteContext: VoteContext & { readonly meters: OpenedMeters; readonly prepared: unknown },
  verdict: Extract<Verdict, { kind: 'allow' }>,
  note: { readonly mfa?: MfaNote },
): Promise<Judged> {
  const { original, rows, first, governing } = voteContext
  const failed = (failure: Failure, changes?: Changes): Judged =>
    counted(context, voteContext, verdict, {
      status: 'ACTIVITY_STATUS_FAILED',
      failure: errorBody(failure),
      ...(changes === undefined ? {} : { changes }),
      ...note,
    })
  try {
    const carried = await executeAllowed(context, original, {
      rows,
      prepared: voteContext.prepared,
      requester: requesterOfVote(first, governing),
      waitedSince: votedAt(first),
    })
    if (carried.kind === 'asks') return carried
    const { outcome } = carried
    if ('failure' in outcome) return failed(outcome.failure, outcome.changes)
    const texts = resultTexts(original, outcome.result)
    const counting = voteContext.meters.counted(outcome.changes, context.vaultContext)
    const changes = await context.work.through(counting)
    return counted(context, voteContext, verdict, {
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

/** The sender of the request, as far as the first vote shows it; the type of a deleted credential is unknown. */
function requesterOfVote(first: CastVote, governing: CompiledCharter): Requester {
  const provenContact = provenContactOf(first)
  const credential = governing.holders.get(first.publicKey)?.credential
  return {
    userId: first.userId,
    organizationId: governing.charter.organizationId,
    credentialType: credential?.type ?? '',
    credentialId: credential?.id ?? provenAccountOf(first, governing.charter.users) ?? '',
    ...(provenContact === undefined ? {} : { provenContact }),
  }
}
