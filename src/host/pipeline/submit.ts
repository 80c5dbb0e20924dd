import { assert, present } from '../../trusted/base/assert.ts'
import { asBuffer } from '../../trusted/base/bytes.ts'
import { mutexes } from '../../trusted/base/keyed-mutex.ts'
import type { Units } from '../../trusted/base/work.ts'
import { defineFailure, errorBody, type ErrorBody, INVALID_ARGUMENT } from '../../trusted/base/failure.ts'
import type { Activity } from '../../trusted/catalogue/activity.ts'
import type { Answers, Question } from '../../trusted/catalogue/question.ts'
import { readSubmission, type Submission } from '../../trusted/catalogue/submission.ts'
import type { ActivityRow, DirectoryEntry, Unit } from '../../trusted/catalogue/unit.ts'
import { organizationNotFound } from '../../trusted/vault/failures.ts'
import type { BroughtMeters, Decision, MeterId, StampHeaders } from '../../protocol/vault.ts'
import { USAGE_METER } from '../../trusted/objects/usage-meter.ts'
import { tokenIdIn, tokenIdOf } from '../../trusted/vault/token-votes.ts'
import { type Vote, votesOf } from '../../trusted/vault/votes.ts'
import { activityView } from '../../trusted/vault/activity-view.ts'
import { broughtMeters } from './brought-meters.ts'
import type { CommitResult } from '../store/store.ts'
import { type Brought, gather } from './gather.ts'
import { spending } from './spending.ts'
import { parentHint } from './charter-cache.ts'
import { expectStamp } from './expect-stamp.ts'
import type { Host } from './host.ts'
import { Rereading } from './rereading.ts'
import { subOrganizationOf } from './sub-organization-of.ts'

/** An answer ready to be sent: the JSON text of a success, or an error. */
export type Reply =
  | { readonly kind: 'ok'; readonly body: string }
  | { readonly kind: 'error'; readonly error: ErrorBody }

type SubmitRequest = {
  readonly operation: string
  readonly body: Uint8Array
  readonly stamp: StampHeaders
  /** Absent for what the service itself submits. */
  readonly clientAddress?: string
  /** Told what was read, before anything is done for it; what it throws is the answer. */
  readonly admit?: (submission: Submission) => void
  /** Told what the vault has done for it, in its units of cost. */
  readonly spend?: (units: Units) => void
}

const wrongOperation = defineFailure<{ readonly type: string; readonly operation: string }>({
  kind: 'wrongOperation',
  code: INVALID_ARGUMENT,
  say: ({ type, operation }) =>
    `invalid request: activity type ${type} does not belong to operation ${operation}`,
})

const ATTEMPTS_MAX = 20

// Each time a commit meets something else than was decided on, somebody else got on. Whoever loses has a little more to do
// than whoever wins, so with eight hosts at one row, each of them busy, one request was seen to lose 70 times.
const CONFLICTS_MAX = 500

/** Carries one submission from its bytes to a durable record, or to a refusal. */
export async function submit(service: Host, request: SubmitRequest): Promise<Reply> {
  const host = spending(service, request.spend)
  expectStamp(request)
  const submission = readSubmission(request.body, host.types)
  const { activity, organizationId, type } = submission
  if (activity.operation !== request.operation) throw wrongOperation({ type, operation: request.operation })
  request.admit?.(submission)
  const { stamp, clientAddress } = request
  const carried: Carried = {
    submission,
    body: asBuffer(request.body).toString('utf8'),
    stamp,
    ...(clientAddress === undefined ? {} : { clientAddress }),
    organizationId,
  }
  const reply = await inTurn(host, carried)
  if (activity.findsSubOrganization !== true || !isStranger(reply)) return reply
  const found = await subOrganizationOf(host, organizationId, { body: carried.body, stamp })
  return found === undefined ? reply : await inTurn(host, { ...carried, organizationId: found })
}

type Carried = {
  readonly submission: Submission
  readonly body: string
  readonly stamp: StampHeaders
  readonly clientAddress?: string
  /** The one that is meant: the one addressed, or a sub-organization of it. */
  readonly organizationId: string
}

async function inTurn(host: Host, carried: Carried): Promise<Reply> {
  const { submission, organizationId } = carried
  const isAmending = submission.activity.amends === true
  let answers: Answers = []
  for (let round = 0; round < ROUNDS_MAX; round++) {
    // What changes nothing that a decision reads is tried on what is at hand; a refusal or a conflict looks again.
    const first = { fresh: isAmending, answers }
    const job = (): Promise<Reply | Asks> => carry(host, carried, first)
    const outcome = isAmending ? await host.keyedMutex(organizationId, job) : await job()
    if (outcome.kind !== 'asks') return outcome
    // Nobody else of the organization waits for the world outside: the turn has been given up by now.
    answers = [...answers, ...(await answersTo(host, outcome.questions))]
  }
  throw new Error(`no answers of ${ROUNDS_MAX} rounds were enough`)
}

/** The vault asks who made the stamp, and then what the activity has to know. */
const ROUNDS_MAX = 4

type Asks = { readonly kind: 'asks'; readonly questions: readonly Question[] }

/** All at once, so that one deadline holds for all of them. */
async function answersTo(host: Host, questions: readonly Question[]): Promise<Answers> {
  return await Promise.all(
    questions.map(async (question) => ({ question, answer: await host.outside(question) })),
  )
}

/** The organization addressed does not know the credential of the stamp. */
function isStranger(reply: Reply): boolean {
  return reply.kind === 'error' && STRANGER_CODES.includes(reply.error.turnkeyErrorCode ?? '')
}

const STRANGER_CODES = ['PUBLIC_KEY_NOT_FOUND', 'CREDENTIAL_NOT_FOUND']

type First = {
  /** Whether what is at hand is read again. */
  readonly fresh: boolean
  /** What has been found out for this request. */
  readonly answers: Answers
}

async function carry(host: Host, carried: Carried, first: First): Promise<Reply | Asks> {
  let { fresh } = first
  const { answers } = first
  let meterIds: readonly MeterId[] = []
  const whole = new Set<string>()
  let held: readonly DirectoryEntry[] = []
  const rereading = new Rereading()
  let attempts = 0
  let conflicts = 0
  while (attempts < ATTEMPTS_MAX && conflicts < CONFLICTS_MAX) {
    attempts += 1
    const { decision, committing } = await decided(host, carried, { fresh, whole, held, answers, meterIds })
    if (decision.kind === 'needs') {
      for (const organizationId of decision.charters) whole.add(organizationId)
    } else if (decision.kind === 'meters') {
      // Asked for again, one came from a unit that has ended meanwhile and was not written.
      if (meterIds.length > 0) {
        attempts -= 1
        conflicts += 1
      }
      meterIds = decision.ids
    } else if (decision.kind === 'asks') {
      return decision
    } else if (decision.kind === 'outdated') {
      rereading.note(decision)
      fresh = true
    } else if (decision.kind === 'underWay') {
      await host.commits.ended(decision.ticket)
      attempts -= 1
      conflicts += 1
    } else if (decision.kind === 'refused') {
      if (fresh) return { kind: 'error', error: decision.error }
      fresh = true
    } else if (decision.kind === 'settled') {
      return reply(host, decision, decision.row)
    } else {
      assert(committing !== undefined, 'a unit that was decided is being committed')
      const outcome = await committing
      if (outcome.kind === 'committed') {
        const row = decision.unit.activity?.row
        assert(row !== undefined, 'a decided unit has its record')
        host.onCommitted()
        return reply(host, decision, row)
      }
      if (outcome.conflict === 'claim') held = await holders(host, decision.unit.claims.put)
      // Where a meter alone has moved on, the rest is right still, and meters are read anew for every attempt.
      fresh ||= outcome.conflict !== 'object' || !isGuardedByMetersAlone(decision.unit)
      attempts -= 1
      conflicts += 1
    }
  }
  throw new Error(`no attempt of ${attempts + conflicts} met an unchanged organization`)
}

function isGuardedByMetersAlone({ objectGuards }: Unit): boolean {
  return objectGuards.every(({ kind }) => kind === USAGE_METER)
}

type Known = {
  readonly fresh: boolean
  readonly whole: ReadonlySet<string>
  readonly held: readonly DirectoryEntry[]
  readonly answers: Answers
}

type Decided = {
  readonly decision: Decision
  /** What becomes of a unit. */
  readonly committing?: Promise<CommitResult>
}

/**
 * Decides once, and lets a unit go to the store. Requests with one meter are decided one after the other, each on the row that the one
 * before leaves, so that they do not undo each other's work; exactness does not rest on it.
 */
async function decided(
  host: Host,
  carried: Carried,
  { meterIds, ...known }: Known & { readonly meterIds: readonly MeterId[] },
): Promise<Decided> {
  if (meterIds.length === 0) return committed(host, await ask(host, carried, { ...known, meters: undefined }))
  return await mutexes(host.keyedMutex, namesOf(meterIds), async () => {
    const { meters, ended } = await broughtMeters(host, meterIds)
    const decision = await ask(host, carried, { ...known, meters })
    const isRefused = decision.kind === 'commit' && decision.error !== undefined
    if (!isRefused || ended.length === 0) return committed(host, decision)
    // Nothing is refused for a use that may not come to be: it is asked again when that is known.
    host.commits.drop(decision)
    await Promise.all(ended)
    const now = await broughtMeters(host, meterIds)
    return committed(host, await ask(host, carried, { ...known, meters: now.meters }))
  })
}

function committed(host: Host, decision: Decision): Decided {
  if (decision.kind !== 'commit') return { decision }
  const committing = host.commits.commit(decision)
  host.metersUnderWay.put(decision.unit, committing)
  return { decision, committing }
}

/** Gathers and has the vault decide, once. */
async function ask(
  host: Host,
  { submission, body, stamp, clientAddress, organizationId }: Carried,
  known: Known & { readonly meters: BroughtMeters | undefined },
): Promise<Decision> {
  const { fresh, whole, held, answers, meters } = known
  const { timestampMs, fingerprint, activity } = submission
  const charter = await host.charters.get(organizationId, fresh)
  if (charter === undefined)
    return { kind: 'refused', error: errorBody(organizationNotFound({ organizationId })) }
  const parentId = usesParent(activity) ? parentHint(charter) : undefined
  const others = new Set([...whole, ...(parentId === undefined ? [] : [parentId])])
  others.delete(organizationId)
  const parents = (await Promise.all([...others].map((id) => host.charters.get(id, fresh)))).filter(
    (row) => row !== undefined,
  )
  const earlier = fresh
    ? await host.store.activityOfRequest({ organizationId, timestampMs, fingerprint })
    : undefined
  const target =
    activity.vote === undefined
      ? undefined
      : await host.store.awaitedActivity(organizationId, votedOn(submission))
  const judged = earlier ?? target
  // A record of these very bytes may keep less of them than there are.
  const subject = earlier !== undefined || target === undefined ? submission : submissionOf(host, target)
  const brought: Brought = await gather(
    { store: host.store, cache: activity.amends === true ? undefined : host.rows, fresh },
    {
      activity: subject.activity,
      intent: subject.newest,
      tokenId: judged === undefined ? tokenIdIn(stamp) : tokenIdOf(firstVoteOf(judged)),
      organizationId,
      version: charter.version,
    },
  )
  return await host.vault.decide({
    body,
    stamp,
    ...(clientAddress === undefined ? {} : { clientAddress }),
    ...(organizationId === submission.organizationId ? {} : { subOrganizationId: organizationId }),
    ...(answers.length === 0 ? {} : { answers }),
    charters: [charter, ...parents].map((row) => host.charters.offer(row, whole.has(row.organizationId))),
    ...(earlier === undefined ? {} : { earlier }),
    ...(target === undefined ? {} : { target }),
    ...(held.length === 0 ? {} : { held }),
    ...(meters === undefined ? {} : { meters }),
    ...brought,
  })
}

/** As the mutex of the host names meters. */
function namesOf(ids: readonly MeterId[]): readonly string[] {
  return ids.map(({ objectId }) => `meter ${objectId}`).toSorted()
}

function usesParent({ parentMay, looksAtParent, vote }: Activity): boolean {
  return parentMay === true || looksAtParent === true || vote !== undefined
}

/** Who holds these names now. */
async function holders(host: Host, claims: readonly DirectoryEntry[]): Promise<readonly DirectoryEntry[]> {
  const held = await Promise.all(
    claims.map(async (claim) => {
      const target = await host.store.claimed(claim.scope, claim.kind, claim.value)
      return target === undefined ? [] : [{ ...claim, target }]
    }),
  )
  return held.flat()
}

function reply(
  host: Host,
  decision: { readonly userId: string; readonly error?: ErrorBody; readonly answer?: string },
  row: ActivityRow,
): Reply {
  const { error, answer: result = row.result } = decision
  if (error !== undefined) return { kind: 'error', error }
  return {
    kind: 'ok',
    body: `{"activity":${activityView({ ...row, result }, decision.userId, host.world.now())}}`,
  }
}

/** The request that a stored activity was made by: the first vote carries its bytes. */
function submissionOf(host: Host, row: ActivityRow): Submission {
  return readSubmission(Buffer.from(firstVoteOf(row).message, 'utf8'), host.types)
}

function firstVoteOf(row: ActivityRow): Vote {
  return present(votesOf(row.votes)[0], 'the first vote of an activity, which is its request')
}

function votedOn(submission: Submission): string {
  return submission.activity.vote?.fingerprint(submission.newest) ?? ''
}
