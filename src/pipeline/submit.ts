import { assert } from '../base/assert.ts'
import { asBuffer } from '../base/bytes.ts'
import { defineFailure, errorBody, type ErrorBody, INVALID_ARGUMENT } from '../base/failure.ts'
import { readSubmission, type Submission } from '../catalogue/submission.ts'
import type { ActivityRow, DirectoryEntry } from '../catalogue/unit.ts'
import { organizationNotFound } from '../vault/failures.ts'
import type { Decision, StampHeaders } from '../vault/protocol.ts'
import { votesOf } from '../vault/votes.ts'
import { activityView } from './activity-view.ts'
import { type Brought, gather } from './gather.ts'
import type { Host } from './host.ts'

/** An answer ready to be sent: the JSON text of a success, or an error. */
export type Reply =
  | { readonly kind: 'ok'; readonly body: string }
  | { readonly kind: 'error'; readonly error: ErrorBody }

export type SubmitRequest = {
  readonly operation: string
  readonly body: Uint8Array
  readonly stamp: StampHeaders
}

export const wrongOperation = defineFailure<{ readonly type: string; readonly operation: string }>({
  kind: 'wrongOperation',
  code: INVALID_ARGUMENT,
  say: ({ type, operation }) =>
    `invalid request: activity type ${type} does not belong to operation ${operation}`,
})

const ATTEMPTS_MAX = 20

/** Carries one submission from its bytes to a durable record, or to a refusal. */
export async function submit(host: Host, request: SubmitRequest): Promise<Reply> {
  const submission = readSubmission(request.body, host.types)
  const { activity, organizationId, type } = submission
  if (activity.operation !== request.operation) throw wrongOperation({ type, operation: request.operation })
  const carried: Carried = {
    submission,
    body: asBuffer(request.body).toString('utf8'),
    stamp: request.stamp,
  }
  if (activity.amends) return await host.turns(organizationId, () => carry(host, carried, { fresh: true }))
  // What changes nothing that a decision reads is tried on what is at hand; a refusal or a conflict looks again.
  return await carry(host, carried, { fresh: false })
}

type Carried = {
  readonly submission: Submission
  readonly body: string
  readonly stamp: StampHeaders
}

async function carry(host: Host, carried: Carried, first: { readonly fresh: boolean }): Promise<Reply> {
  let fresh = first.fresh
  const whole = new Set<string>()
  let held: readonly DirectoryEntry[] = []
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const decision = await ask(host, carried, { fresh, whole, held })
    if (decision.kind === 'needs') {
      // It was brought, whole, and not taken: the vault has seen a newer one, so what is at hand is out of date.
      fresh ||= decision.charters.some((organizationId) => whole.has(organizationId))
      for (const organizationId of decision.charters) whole.add(organizationId)
    } else if (decision.kind === 'refused') {
      if (fresh) return { kind: 'error', error: decision.error }
      fresh = true
    } else if (decision.kind === 'settled') {
      return reply(host, decision, decision.row)
    } else {
      const outcome = await host.store.commit(decision.unit)
      if (outcome.kind === 'committed') {
        const row = decision.unit.activity?.row
        assert(row !== undefined, 'a decided unit has its record')
        return reply(host, decision, row)
      }
      if (outcome.conflict === 'claim') held = await holders(host, decision.unit.claims.put)
      fresh = true
    }
  }
  throw new Error(`no attempt of ${ATTEMPTS_MAX} met an unchanged organization`)
}

/** Gathers and has the vault decide, once. */
async function ask(
  host: Host,
  { submission, body, stamp }: Carried,
  known: {
    readonly fresh: boolean
    readonly whole: ReadonlySet<string>
    readonly held: readonly DirectoryEntry[]
  },
): Promise<Decision> {
  const { fresh, whole, held } = known
  const { organizationId, timestampMs, fingerprint, activity } = submission
  const charter = await host.charters.get(organizationId, fresh)
  if (charter === undefined)
    return { kind: 'refused', error: errorBody(organizationNotFound({ organizationId })) }
  const others = [...whole].filter((id) => id !== organizationId)
  const parents = (await Promise.all(others.map((id) => host.charters.get(id, fresh)))).filter(
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
  const subject = judged === undefined ? submission : submissionOf(host, judged)
  const brought: Brought = await gather(
    { store: host.store, shelf: activity.amends ? undefined : host.rows },
    { activity: subject.activity, intent: subject.newest, organizationId, version: charter.version },
  )
  return await host.vault.decide({
    body,
    stamp,
    charters: [charter, ...parents].map((row) => host.charters.offer(row, whole.has(row.organizationId))),
    ...(earlier === undefined ? {} : { earlier }),
    ...(target === undefined ? {} : { target }),
    ...(held.length === 0 ? {} : { held }),
    ...brought,
  })
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
  decision: { readonly userId: string; readonly error?: ErrorBody },
  row: ActivityRow,
): Reply {
  if (decision.error !== undefined) return { kind: 'error', error: decision.error }
  return { kind: 'ok', body: `{"activity":${activityView(row, decision.userId, host.world.now())}}` }
}

/** The request that a stored activity was made by: the first vote carries its bytes. */
function submissionOf(host: Host, row: ActivityRow): Submission {
  const message = votesOf(row.votes)[0]?.message
  assert(message !== undefined, 'the first vote of an activity is its request')
  return readSubmission(Buffer.from(message, 'utf8'), host.types)
}

function votedOn(submission: Submission): string {
  return submission.activity.vote?.fingerprint(submission.newest) ?? ''
}
