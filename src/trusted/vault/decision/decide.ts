import { utf8 } from '../../base/bytes.ts'
import type { Work } from '../../base/work.ts'
import { errorBody, Failure } from '../../base/failure.ts'
import { costs } from '../../base/costs.ts'
import { readSubmission, type Submission } from '../../catalogue/submission.ts'
import type { Activity } from '../../catalogue/activity.ts'
import { requireOneStamp } from '../../crypto/stamp.ts'
import { executeAllowed } from './execute-allowed.ts'
import { authorize } from './authorize.ts'
import { compiledChartersOf } from '../charters/compiled-charters-of.ts'
import { deniedEarlyOr } from './deny-early.ts'
import { noChanges } from './changes.ts'
import { organizationMismatch, organizationNotFound } from '../failures.ts'
import { UnderWay } from '../memory/units-under-way.ts'
import { chartersOf, type RequestContext } from '../authentication/request-context.ts'
import type { VaultContext } from '../vault-context.ts'
import { identify, requesterOf } from '../authentication/identify.ts'
import type { Judged } from './judged.ts'
import { limitReached } from './limit-reached.ts'
import { RequestMeters } from '../usage/request-meters.ts'
import { outdated } from '../memory/rollback-guard.ts'
import { openCase, openedRows } from './open-case.ts'
import type { DecideRequest, Decision } from '../../../protocol/vault.ts'
import { mfaNote, type MfaNote } from './mfa.ts'
import { newActivity, newRecord, refusedRecord, resultTexts } from './record.ts'
import { checkRecoveryIsKnown } from '../recovery/recovery-is-known.ts'
import { checkRecoveryKey } from '../recovery/recovery-keys.ts'
import { isInScope } from '../authentication/scope.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { approvalOf } from '../charters/holders.ts'
import { DENIED, type Verdict } from './verdict.ts'
import { withDrawing } from './drawing.ts'
import { castVote } from './vote.ts'
import { repeatedRequest } from './repeated-request.ts'
import { checkRequestIsLive } from './request-is-live.ts'

/** Decides one submission, from its bytes to the unit to commit. No code outside this function makes decisions. */
export function decide(vaultContext: VaultContext, request: DecideRequest, work: Work): Promise<Decision> {
  return withDrawing(vaultContext, (drawing) => decided(drawing, request, work), ticketOf)
}

/** A decision that waits for another unit has the ticket of that one. */
function ticketOf(decision: Decision): number | undefined {
  return decision.kind === 'commit' ? decision.ticket : undefined
}

async function decided(vaultContext: VaultContext, request: DecideRequest, work: Work): Promise<Decision> {
  const meters = new RequestMeters(vaultContext, request.meters)
  try {
    const judged = meters.onWhatStands(await judgeSubmission(vaultContext, request, meters, work))
    if (judged.kind !== 'commit') return judged
    // Other requests may have been decided since this one arrived: its basis is checked once more, atomically with
    // handing out the unit.
    return { ...judged, ticket: vaultContext.memory.handOut(judged.unit, vaultContext.world.now()) }
  } catch (error) {
    if (error instanceof Failure)
      return meters.onWhatStands({ kind: 'refused', error: errorBody(error) } as const)
    if (error instanceof UnderWay) return { kind: 'underWay', ticket: error.ticket }
    return outdated(error)
  } finally {
    meters.close()
  }
}

async function judgeSubmission(
  vaultContext: VaultContext,
  request: DecideRequest,
  meters: RequestMeters,
  work: Work,
): Promise<Judged> {
  work.charge(costs.request)
  const body = utf8(request.body)
  const { stamp: headers, clientAddress, answers = [] } = request
  // The first charter is that of the addressed organization; the body is checked against it once it is read.
  const addressed = request.charters[0] ?? readSubmission(request.body, vaultContext.types)
  const now = vaultContext.world.now()

  const charters = await compiledChartersOf(vaultContext, addressed.organizationId, request.charters, {
    work,
    now,
  })
  if (charters.kind === 'needs') return charters
  const { own: compiled, parent } = charters
  const { organizationId } = compiled.charter
  const stamped = { body, headers, organizationId, clientAddress, answers }
  const means = { ...vaultContext, work }
  if (isToken(headers)) requireOneStamp(headers)
  // The body of an unknown sender is not read. A token depends on the activity in the body, so it is verified
  // afterwards.
  const known = isToken(headers) ? undefined : await identify(means, stamped, undefined, charters, now)
  work.charge(request.body.length * costs.bodyCharacter)
  const read = readSubmission(request.body, vaultContext.types)
  const { activity } = read
  const submission = { ...read, organizationId }
  checkAddressed(read, compiled)
  const identified = known ?? (await identify(means, stamped, activity, charters, now))
  if (identified.kind !== 'identity') return identified
  const { identity } = identified
  checkRecoveryKey(identity, { activity, intent: submission.newest })
  const { parentId } = compiled.charter
  if (parentId !== null && parent === undefined && looksAtParent(activity, compiled))
    return { kind: 'needs', charters: [parentId] }
  const origins = compiled.origins ?? parent?.origins
  const context: RequestContext = {
    vaultContext,
    request,
    submission,
    compiled,
    parent,
    origins,
    identity,
    meters,
    now,
    work,
  }

  if (request.earlier !== undefined) return repeatedRequest(context, request.earlier)
  if (compiled.charter.deleted) throw organizationNotFound({ organizationId })
  if (identity.compiled !== compiled && activity.parentMay !== true && activity.vote === undefined)
    throw organizationMismatch({ target: organizationId, voter: identity.compiled.charter.organizationId })
  checkRequestIsLive(context)
  checkRecoveryIsKnown(vaultContext, compiled.charter, { activity, intent: submission.newest })
  if (activity.vote !== undefined) return await castVote(context, activity.vote)
  return await deniedEarlyOr(context, submission, async () => {
    await activity.validate?.(submission.newest, vaultContext.vocabulary, work)
    return await proposed(context)
  })
}

function isToken({ xStamp, xStampWebauthn }: DecideRequest['stamp']): boolean {
  return xStamp === undefined && xStampWebauthn === undefined
}

/** A request may name the parent only where the activity says so, and only for one of that parent's own. */
function checkAddressed(read: Submission, { charter }: CompiledCharter): void {
  const { organizationId, parentId } = charter
  if (read.organizationId === organizationId) return
  if (read.activity.findsSubOrganization !== true || read.organizationId !== parentId)
    throw organizationMismatch({ target: read.organizationId, voter: organizationId })
}

/** A vote may be about any activity; registering passkeys needs the origins that the parent allows. */
function looksAtParent(activity: Activity, compiled: CompiledCharter): boolean {
  if (activity.looksAtParent === true || activity.vote !== undefined) return true
  return activity.verify !== undefined && compiled.origins === undefined
}

/** A new request: carried out, waiting for others, or refused. Each leaves its record. */
async function proposed(context: RequestContext): Promise<Judged> {
  const { vaultContext, request, submission, identity, now, work } = context
  const { user, credential, compiled } = identity
  const { userId: proposerId } = user
  const tokenId = identity.provenContact?.tokenId
  const rows = await openedRows(vaultContext, { submission, tokenId, brought: request, now }, work)
  try {
    const opened = await openCase({ submission, rows, proposerId, compiled, now }, work)
    const { facts, prepared } = opened
    const meters = await context.meters.open(opened.uses, now, work)
    if ('kind' in meters) return meters
    if (!(await work.through(isInScope(identity, facts)))) return refusedRecord(context, DENIED)
    const voter = approvalOf(user, [credential])
    const approved = { approvals: [voter], voter, usage: meters }
    const verdict = await authorize(opened, approved, work)
    if (verdict.kind === 'deny')
      return refusedRecord(context, verdict, await limitReached(opened, approved, verdict, work))
    const mfa = await work.through(mfaNote(user, facts, [identity.method], compiled))
    const awaitsVote = vaultContext.emulation?.awaitsVote(submission.fingerprint) === true
    if (mfa?.satisfied === false || verdict.kind === 'wait' || awaitsVote)
      return waitingRecord(context, verdict, mfa)
    const carried = await executeAllowed(context, submission, {
      rows,
      prepared,
      requester: requesterOf(identity),
      waitedSince: undefined,
    })
    if (carried.kind === 'asks') return carried
    const { outcome } = carried
    const { evaluations } = verdict
    const note = mfa === undefined ? {} : { mfa }
    if ('failure' in outcome) {
      // Without the id of the record, so that a counted failure, such as a wrong code, looks like any other.
      const failure = errorBody(outcome.failure)
      const row = newRecord(context, { status: 'ACTIVITY_STATUS_FAILED', failure, evaluations, ...note })
      return newActivity(context, row, outcome.changes, { error: failure })
    }
    const { result, ...told } = resultTexts(submission, outcome.result)
    const row = newRecord(context, { status: 'ACTIVITY_STATUS_COMPLETED', result, evaluations, ...note })
    const changes = await work.through(meters.counted(outcome.changes, vaultContext))
    return newActivity(context, row, changes, told)
  } finally {
    rows.wipe()
  }
}

function waitingRecord(
  context: RequestContext,
  verdict: Exclude<Verdict, { kind: 'deny' }>,
  mfa: MfaNote | undefined,
): Judged {
  const { evaluations } = verdict
  const { user, compiled } = context.identity
  const isProven = mfa?.satisfied !== false
  const others = verdict.kind === 'wait' ? verdict.voters : isProven ? [] : othersOfQuorum(compiled, user)
  const row = newRecord(context, {
    status: isProven ? 'ACTIVITY_STATUS_CONSENSUS_NEEDED' : 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED',
    evaluations,
    voters: isProven ? others : [user.userId, ...others],
    ...(mfa === undefined ? {} : { mfa }),
  })
  return newActivity(context, row, noChanges(chartersOf(context)))
}

/** Each root user may approve or reject what is allowed to a user who has yet to show a proof. */
function othersOfQuorum(
  { charter }: CompiledCharter,
  { userId }: { readonly userId: string },
): readonly string[] {
  return charter.rootQuorum.userIds.filter((other) => other !== userId)
}
