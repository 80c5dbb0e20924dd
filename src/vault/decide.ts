import { assert } from '../base/assert.ts'
import { utf8 } from '../base/bytes.ts'
import { type ErrorBody, errorBody, Failure } from '../base/failure.ts'
import { readSubmission } from '../catalogue/submission.ts'
import type { ActivityRow } from '../catalogue/unit.ts'
import { activityFacts } from '../catalogue/vocabulary.ts'
import { authorize } from './authorize.ts'
import { carryOut, noChanges } from './carry-out.ts'
import { organizationMismatch, organizationNotFound, requestNotLive } from './failures.ts'
import type { Hearing, Judge } from './hearing.ts'
import { identify } from './identify.ts'
import { openRows } from './open-rows.ts'
import type { DecideRequest, Decision, OfferedCharter } from './protocol.ts'
import { checkActivity } from './seals.ts'
import { newRecord, refusedRecord, resultText } from './record.ts'
import { approvalOf, type Standing } from './standing.ts'
import type { Verdict } from './verdict.ts'
import { castVote } from './vote.ts'
import { votesOf } from './votes.ts'

const AGE_MAX_MS = 60 * 60 * 1000
const AHEAD_MAX_MS = 5 * 60 * 1000

/** Judges one submission, from its bytes to the unit that is to be committed. Nothing outside this function decides anything. */
export async function decide(judge: Judge, request: DecideRequest): Promise<Decision> {
  try {
    return await hear(judge, request)
  } catch (error) {
    if (error instanceof Failure) return { kind: 'refused', error: errorBody(error) }
    throw error
  }
}

async function hear(judge: Judge, request: DecideRequest): Promise<Decision> {
  const body = utf8(request.body)
  const submission = readSubmission(body, judge.types)
  const { organizationId, activity } = submission
  const now = judge.world.now()

  const { standings, missing } = standingsOf(judge, organizationId, request.charters)
  if (standings === undefined) return { kind: 'needs', charters: missing }
  const identified = await identify(
    judge.verifyStamp,
    { body, headers: request.stamp, organizationId },
    standings,
    now,
  )
  if (identified.kind === 'needsParent') return { kind: 'needs', charters: [identified.parentId] }
  const { identity } = identified
  const standing = standings.own
  const { parentId } = standing.charter
  // What registers passkeys, or votes for what may, has to know the origins that the parent allows.
  const looksAtOrigins = activity.witness !== undefined || activity.vote !== undefined
  if (looksAtOrigins && standing.origins === undefined && parentId !== null && standings.parent === undefined)
    return { kind: 'needs', charters: [parentId] }
  const origins = standing.origins ?? standings.parent?.origins
  const hearing: Hearing = { judge, request, submission, standing, origins, identity, now }

  if (request.earlier !== undefined) return repeated(hearing, request.earlier)
  if (standing.charter.deleted) throw organizationNotFound({ organizationId })
  if (identity.standing !== standing)
    throw organizationMismatch({ target: organizationId, voter: identity.standing.charter.organizationId })
  checkLive(hearing)
  activity.validate?.(submission.newest, judge.vocabulary)
  if (activity.vote !== undefined) return await castVote(hearing, activity.vote)
  return await proposed(hearing)
}

/** The same bytes are the same request: its own sender gets the record as it stands; someone else who may vote has voted for it. */
async function repeated(hearing: Hearing, earlier: ActivityRow): Promise<Decision> {
  const { judge, identity, request, submission } = hearing
  checkActivity(judge.keyring, earlier)
  assert(
    earlier.fingerprint === submission.fingerprint && earlier.organizationId === submission.organizationId,
    'the record that was brought is of these bytes',
  )
  const { userId } = identity.user
  const isWaiting = earlier.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
  if (isWaiting && hearing.standing.charter.deleted)
    throw organizationNotFound({ organizationId: submission.organizationId })
  const isMember = identity.standing === hearing.standing
  if (isWaiting && isMember && !votesOf(earlier.votes).some((vote) => vote.userId === userId)) {
    checkLive(hearing)
    return await castVote(
      { ...hearing, request: { ...request, target: earlier } },
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

/** A new request: carried out, waiting for others, or refused. Each leaves its record. */
async function proposed(hearing: Hearing): Promise<Decision> {
  const { judge, request, submission, standing, identity, now } = hearing
  const { activity, newest } = submission
  const rows = openRows(judge.keyring, submission.organizationId, activity.needs?.(newest) ?? {}, request)
  try {
    const voter = approvalOf(identity.user, [identity.credential])
    const verdict = authorize({
      activity,
      intent: newest,
      facts: {
        ...activityFacts(activity, submission.type, newest),
        ...activity.facts?.({ intent: newest, rows: rows.gathered }),
      },
      standing,
      approvals: [voter],
      voter,
      proposerId: identity.user.userId,
    })
    if (verdict.kind === 'deny') return refusedRecord(hearing, verdict)
    if (verdict.kind === 'wait') return waitingRecord(hearing, verdict)
    const witness = await activity.witness?.(newest, hearing.origins)
    const signer = { userId: identity.user.userId, organizationId: standing.charter.organizationId }
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
    const row = newRecord(hearing, {
      status: 'ACTIVITY_STATUS_COMPLETED',
      result: resultText(submission, outcome.result),
      evaluations: verdict.evaluations,
    })
    return {
      kind: 'commit',
      unit: { ...outcome.changes, activity: { row, replaces: null } },
      userId: identity.user.userId,
    }
  } finally {
    rows.wipe()
  }
}

function waitingRecord(hearing: Hearing, verdict: Extract<Verdict, { kind: 'wait' }>): Decision {
  const { standing, identity } = hearing
  const row = newRecord(hearing, {
    status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
    evaluations: verdict.evaluations,
    voters: verdict.voters,
  })
  return {
    kind: 'commit',
    unit: { ...noChanges(standing.charter), activity: { row, replaces: null } },
    userId: identity.user.userId,
  }
}

/** Denied when it was submitted; what failed after it had been approved is an activity that its voters may see. */
function isRefusal(row: ActivityRow): boolean {
  return row.status === 'ACTIVITY_STATUS_FAILED' && row.awaited === 0
}

function refusalOf(row: ActivityRow): ErrorBody {
  // The vault wrote it with `failureText`, of an error body.
  return JSON.parse(row.failure ?? '{}') as ErrorBody
}

function checkLive({ submission: { timestampMs }, now }: Hearing): void {
  if (timestampMs <= now - AGE_MAX_MS || timestampMs > now + AHEAD_MAX_MS)
    throw requestNotLive({ timestampMs, now })
}

export function standingsOf(
  judge: Pick<Judge, 'standings'>,
  organizationId: string,
  offered: readonly OfferedCharter[],
):
  | {
      readonly standings: { readonly own: Standing; readonly parent: Standing | undefined }
      readonly missing?: undefined
    }
  | { readonly standings?: undefined; readonly missing: readonly string[] } {
  const own = offered.find((charter) => charter.organizationId === organizationId)
  const ownStanding = own === undefined ? undefined : judge.standings.get(own)
  if (ownStanding === undefined) return { missing: [organizationId] }
  const { parentId } = ownStanding.charter
  const parent = offered.find((charter) => charter.organizationId === parentId)
  const parentStanding = parent === undefined ? undefined : judge.standings.get(parent)
  if (parent !== undefined && parentStanding === undefined) return { missing: [parent.organizationId] }
  return { standings: { own: ownStanding, parent: parentStanding } }
}
