import { present } from '../../trusted/base/assert.ts'
import { type ErrorBody, errorBody, NOT_FOUND } from '../../trusted/base/failure.ts'
import type { Activity } from '../../trusted/catalogue/activity.ts'
import { readSubmission, type Submission } from '../../trusted/catalogue/submission.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { organizationNotFound } from '../../trusted/vault/failures.ts'
import type { BroughtMeters, Costed, Decision } from '../../protocol/vault.ts'
import { tokenIdIn, tokenIdOf } from '../../trusted/vault/authentication/token-votes.ts'
import { type Vote, votesOf } from '../../trusted/vault/records/votes.ts'
import type { Carried } from './carried.ts'
import { parentHint } from './charter-cache.ts'
import { gather, longRowsOf, needsOf } from './gather.ts'
import type { Host } from './host.ts'
import { needsManyRows } from './many-rows.ts'
import { senderOf } from './sender-of.ts'
import type { Found } from '../store/found.ts'
import type { Confirm } from '../store/store.ts'
import type { Progress } from './states.ts'

/** A decision, and the lookups that it was made on. */
type Decided = { readonly decision: Costed<Decision>; readonly found: readonly Found[] }

type Read = {
  readonly meters: BroughtMeters | undefined
  /** Confirms all earlier reads. */
  readonly confirm: Confirm
}

type DecidedAfter = Pick<Progress, 'fresh' | 'whole' | 'held' | 'answers'>

/**
 * The vault's decision on a request, from everything that the host gathers for it.
 *
 * The same bytes may be committed, by another host for example, after their record was looked for. Rows that are read
 * later then hold what they have done, such as the name of a new key, which must not refuse them. So a refusal without
 * a record is final only if there is still none; and only once, since a database could show and hide it in turn.
 */
export async function vaultDecision(
  host: Host,
  carried: Carried,
  progress: DecidedAfter,
  read: Read,
): Promise<Decided> {
  const { submission, organizationId } = carried
  const { timestampMs, fingerprint } = submission
  const recorded = () => host.store.activityOfRequest({ organizationId, timestampMs, fingerprint })
  const earlier = progress.fresh ? await recorded() : undefined
  const answer = await decisionOn(host, carried, progress, { ...read, earlier })
  if (answer.decision.kind !== 'refused' || !progress.fresh || earlier !== undefined) return answer
  const meanwhile = await recorded()
  if (meanwhile === undefined) return answer
  return await decisionOn(host, carried, progress, { ...read, earlier: meanwhile })
}

/** @param read.earlier  the record of the same bytes */
async function decisionOn(
  host: Host,
  carried: Carried,
  { fresh, whole, held, answers }: DecidedAfter,
  { meters, confirm, earlier }: Read & { readonly earlier: ActivityRow | undefined },
): Promise<Decided> {
  const { submission, body, stamp, clientAddress, organizationId } = carried
  const { activity } = submission
  const charter = await host.charters.get(organizationId, fresh)
  if (charter === undefined) return refused(errorBody(organizationNotFound({ organizationId })))
  const parentId = usesParent(activity) ? parentHint(charter) : undefined
  const others = new Set([...whole, ...(parentId === undefined ? [] : [parentId])])
  others.delete(organizationId)
  const parents = (await Promise.all([...others].map((id) => host.charters.get(id, fresh)))).filter(
    (row) => row !== undefined,
  )
  const target =
    activity.vote === undefined
      ? undefined
      : await host.store.awaitedActivity(organizationId, votedOn(submission))
  const judged = earlier ?? target
  // A record of the same bytes may have stored only a part of them.
  const subject = earlier !== undefined || target === undefined ? submission : submissionOf(host, target)
  const tokenId = judged === undefined ? tokenIdIn(stamp) : tokenIdOf(firstVoteOf(judged))
  const { version } = charter
  const needs = needsOf(subject.activity, subject.newest, tokenId)
  const cache = activity.amends === true ? undefined : host.rows
  const sources = { store: host.store, cache, fresh }
  const of = { needs, organizationId, version }
  const longRows = await longRowsOf(sources, of)
  // A stranger could make the host read thousands of rows with each forged stamp.
  const sender = longRows > 0 || needsManyRows(needs) ? await senderOf(host, carried) : 'any'
  if (typeof sender === 'object') return refused(sender.refused)
  const request = {
    body,
    stamp,
    ...(clientAddress === undefined ? {} : { clientAddress }),
    ...(organizationId === submission.organizationId ? {} : { subOrganizationId: organizationId }),
    ...(answers.length === 0 ? {} : { answers }),
    ...(earlier === undefined ? {} : { earlier }),
    ...(target === undefined ? {} : { target }),
    ...(held.length === 0 ? {} : { held }),
    ...(meters === undefined ? {} : { meters }),
  }
  const decided = async (): Promise<Decided> => {
    const { brought, areRemembered, found } = sender === 'useless' ? NOTHING : await gather(sources, of)
    // A row that a failover could still undo is not used in an answer, and the vault must not remember it.
    if (judged !== undefined || areRemembered || meters !== undefined) await confirm()
    const charters = [charter, ...parents].map((row) =>
      host.charters.offer(row, whole.has(row.organizationId)),
    )
    return { decision: await host.vault.decide({ ...request, charters, ...brought }), found }
  }
  // Long rows are in memory until the decision: few requests have them at once. A useless request has no rows.
  const answer = await (longRows === 0 || sender === 'useless'
    ? decided()
    : host.longQueries.interfaces.run(organizationId, decided))
  const { decision } = answer
  // An old primary lacks what its successor has acknowledged.
  if (decision.kind === 'refused' && decision.error.code === NOT_FOUND) await confirm()
  return answer
}

function refused(error: ErrorBody): Decided {
  return { decision: { kind: 'refused', error, cost: 0 }, found: [] }
}

function usesParent({ parentMay, looksAtParent, vote }: Activity): boolean {
  return parentMay === true || looksAtParent === true || vote !== undefined
}

type Gathered = Awaited<ReturnType<typeof gather>>

const NOTHING: Gathered = { brought: { rows: {}, taken: {} }, areRemembered: false, found: [] }

/** The request of a stored activity: the first vote contains its bytes. */
function submissionOf(host: Host, row: ActivityRow): Submission {
  return readSubmission(firstVoteOf(row).message, host.types)
}

function firstVoteOf(row: ActivityRow): Vote {
  return present(votesOf(row.votes)[0], 'the first vote of an activity, which is its request')
}

function votedOn(submission: Submission): string {
  return submission.activity.vote?.fingerprint(submission.newest) ?? ''
}
