import { defineFailure, Failure, INVALID_ARGUMENT } from '../../trusted/base/failure.ts'
import { bodyText } from '../../trusted/base/strict-json.ts'
import type { Units } from '../../trusted/base/work.ts'
import type { Answers } from '../../trusted/catalogue/question.ts'
import { readSubmission, type Submission } from '../../trusted/catalogue/submission.ts'
import type { StampHeaders } from '../../protocol/vault.ts'
import { answersTo } from './answers-to.ts'
import { attempt } from './attempt.ts'
import type { Carried } from './carried.ts'
import { expectStamp } from './expect-stamp.ts'
import type { Host } from './host.ts'
import { partInOutage } from './part-in-outage.ts'
import type { Reply } from './reply.ts'
import { senderOf } from './sender-of.ts'
import { KeepsChanging } from './signer-of.ts'
import { spending } from './spending.ts'
import { type Asks, BOUNDS, enter, type Progress, progressFrom, stateAfter, stateOf } from './states.ts'
import { subOrganizationOf } from './sub-organization-of.ts'
import { type Watch, watched } from './watch.ts'

type SubmitRequest = {
  readonly operation: string
  readonly body: Uint8Array
  readonly stamp: StampHeaders
  /** Absent for submissions of the service itself. */
  readonly clientAddress?: string
  /**
   * Called with the submission after it was read, before any work is done for it; an error that it throws is the
   * answer.
   */
  readonly admit?: (submission: Submission) => void
  /**
   * Called with the recipients of mails to root users, before the mails are written; an error that it throws is the
   * answer.
   */
  readonly admitMails?: (submission: Submission, addresses: readonly string[]) => void
  /** Called with the work that the vault has done for the request, in its units of cost. */
  readonly spend?: (units: Units) => void
  readonly watch?: Watch | undefined
}

const wrongOperation = defineFailure<{ readonly type: string; readonly operation: string }>({
  kind: 'wrongOperation',
  code: INVALID_ARGUMENT,
  say: ({ type, operation }) =>
    `invalid request: activity type ${type} does not belong to operation ${operation}`,
})

/** Takes one submission from its bytes to a durable record, or to a refusal. */
export async function submit(service: Host, request: SubmitRequest): Promise<Reply> {
  const host = watched(spending(service, request.spend), request.watch)
  expectStamp(request)
  const body = bodyText(request.body)
  const submission = readSubmission(body, host.types)
  const { activity, organizationId, type } = submission
  if (request.watch !== undefined) request.watch.organizationId = organizationId
  if (activity.operation !== request.operation) throw wrongOperation({ type, operation: request.operation })
  request.admit?.(submission)
  const { stamp, clientAddress, admitMails } = request
  const carried: Carried = {
    submission,
    body,
    stamp,
    ...(clientAddress === undefined ? {} : { clientAddress }),
    organizationId,
    admitMails: admitMails && ((addresses) => admitMails(submission, addresses)),
  }
  const reply = await inTurn(host, carried)
  if (activity.findsSubOrganization !== true || !isStranger(reply)) return reply
  const found = await subOrganizationOf(host, organizationId, { body: carried.body, stamp })
  return found === undefined ? reply : await inTurn(host, { ...carried, organizationId: found })
}

async function inTurn(host: Host, carried: Carried): Promise<Reply> {
  const { submission } = carried
  const isAmending = submission.activity.amends === true
  let answers: Answers = []
  for (let round = 0; round < BOUNDS.rounds; round++) {
    // A request that changes no row that other decisions read is first tried on cached rows; after a refusal or a
    // conflict the rows are read again.
    const progress = progressFrom({ fresh: isAmending, answers })
    const job = (): Promise<Reply | Asks> => carry(host, carried, progress)
    const outcome = isAmending ? await amendInTurn(host, carried, job) : await job()
    if (outcome.kind !== 'asks') return outcome
    // Other requests of the organization do not wait for the outside world: this request has given up its turn.
    const asker = await host.charters.tenantOf(carried.organizationId)
    answers = [...answers, ...(await answersTo(host, outcome.questions, asker))]
  }
  throw new Error(`no answers of ${BOUNDS.rounds} rounds were enough`)
}

/**
 * A stranger does not wait in the turns of an organization: anybody who knows its id could otherwise hold up its users.
 * A token is verified with its request, so requests with tokens wait for one another first, and one of them at a time
 * waits with the others.
 */
async function amendInTurn<T>(
  host: Host,
  carried: Carried,
  job: () => Promise<T>,
): Promise<T | Extract<Reply, { readonly kind: 'error' }>> {
  const { keyedMutex } = host
  const { organizationId } = carried
  if (!keyedMutex.isHeld(organizationId)) return await keyedMutex(organizationId, job)
  const sender = await senderOf(host, carried).catch((error: unknown) => {
    // The vault judges the sender together with the request, as with a token.
    if (error instanceof KeepsChanging) return 'any' as const
    throw error
  })
  if (sender === 'useless') return await job()
  if (sender === 'known') return await keyedMutex(organizationId, job)
  if (sender === 'any')
    return await keyedMutex(`${organizationId} by token`, () => keyedMutex(organizationId, job))
  return { kind: 'error', error: sender.refused }
}

/** The addressed organization does not know the credential of the stamp. */
function isStranger(reply: Reply): boolean {
  return reply.kind === 'error' && STRANGER_CODES.includes(reply.error.turnkeyErrorCode ?? '')
}

const STRANGER_CODES = ['PUBLIC_KEY_NOT_FOUND', 'CREDENTIAL_NOT_FOUND']

/** From one state to the next, until one of them ends it (`states.ts`). */
async function carry(host: Host, carried: Carried, progress: Progress): Promise<Reply | Asks> {
  for (;;) {
    const { decision, committing } = await attempted(host, carried, progress)
    const reached =
      committing === undefined ? stateOf(decision, progress) : stateAfter(decision, await committing)
    const next = await enter(host, progress, reached)
    if (next !== undefined) return next
  }
}

/**
 * A cached row can be one that was changed in the database for a moment. So an error that is not about an outage is
 * final only once all rows have been read again, as a refusal is.
 */
async function attempted(host: Host, carried: Carried, progress: Progress): ReturnType<typeof attempt> {
  try {
    return await attempt(host, carried, progress)
  } catch (error) {
    if (progress.fresh || error instanceof Failure || partInOutage(error) !== undefined) throw error
    progress.fresh = true
    return await attempt(host, carried, progress)
  }
}
