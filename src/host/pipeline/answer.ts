import { costs } from '../../trusted/base/costs.ts'
import { defineFailure, Failure, failureOf, NOT_FOUND, UNAVAILABLE } from '../../trusted/base/failure.ts'
import { isUuid } from '../../trusted/base/ids.ts'
import type { Units } from '../../trusted/base/work.ts'
import { bodyText, readJsonObject } from '../../trusted/base/strict-json.ts'
import { JsonText } from '../../trusted/catalogue/json-text.ts'
import type { Query } from '../../trusted/catalogue/query.ts'
import type { Answers } from '../../trusted/catalogue/question.ts'
import type { Shape } from '../../trusted/catalogue/shape.ts'
import { malformedOrganizationId } from '../../trusted/catalogue/submission.ts'
import { organizationNotFound } from '../../trusted/vault/failures.ts'
import type { StampHeaders } from '../../protocol/vault.ts'
import type { Confirm } from '../store/store.ts'
import { answersTo } from './answers-to.ts'
import { expectStamp } from './expect-stamp.ts'
import type { Host } from './host.ts'
import { nextTurn } from './next-turn.ts'
import { spending } from './spending.ts'
import { readerFor } from './reader.ts'
import { type Ask, type Asked, KeepsChanging, signerOf } from './signer-of.ts'
import { subOrganizationOf } from './sub-organization-of.ts'
import type { Reply } from './reply.ts'
import { type Watch, watched } from './watch.ts'

export type AnswerRequest = {
  readonly body: Uint8Array
  readonly stamp: StampHeaders
  readonly clientAddress?: string
  /**
   * Called with the organization before any work is done for the request or, where the request may name the parent of
   * that organization, once it is known. An error that it throws is the answer.
   */
  readonly admit?: (organizationId: string) => void
  /** Called with the work that the vault has done for the request, in its units of cost. */
  readonly spend?: (units: Units) => void
  readonly watch?: Watch | undefined
  /** Whether nobody waits for the answer any more. */
  readonly isGone?: () => boolean
}

const clientGone = defineFailure({
  kind: 'clientGone',
  code: UNAVAILABLE,
  say: () => 'the connection was closed while the query waited for its turn; ask again',
})

/** Answers one query: the vault identifies the signer, and it has sealed all rows that are read. */
export async function answer(service: Host, query: Query, request: AnswerRequest): Promise<Reply> {
  const host = watched(spending(service, request.spend), request.watch)
  const { parsed, organizationId, asked } = askedIn(query, request)
  const ask = askingOnce(host)
  let target = organizationId
  let identified = await signerInTurn(host, asked, target, ask)
  if (identified.kind === 'refused' && query.findsSubOrganization === true) {
    const found = await subOrganizationOf(host, organizationId, asked)
    if (found !== undefined) {
      target = found
      identified = await signerInTurn(host, asked, target, ask)
    }
  }
  if (identified.kind === 'refused') return { kind: 'error', error: identified.error }
  if (query.findsSubOrganization === true) request.admit?.(target)
  const signer = identified
  const hasWaited = turnsPassed()
  const answering: Answering = async (service) => {
    // A client that asks again after a while must not wait for what it has given up.
    if (request.isGone?.() === true) throw clientGone()
    // Meanwhile the user may have been deleted.
    const asker = hasWaited() ? await signerInTurn(host, asked, target, ask) : signer
    if (asker.kind === 'refused') throw failureOf(asker.error)
    const confirm = host.store.confirmer()
    const reader = await readerFor(service, target, asker, request.spend)
    if (reader.charter.deleted) throw organizationNotFound({ organizationId })
    const { clientAddress } = request
    const asking = clientAddress === undefined ? reader : { ...reader, clientAddress }
    return await confirmedIfAbsent(confirm, () => query.answer(parsed, asking))
  }
  const answered = await inTurn(host, query, target, answering)
  host.uses.note(identified)
  await host.onRead?.({ organizationId: target, operation: query.operation, userId: identified.userId })
  const body = answered instanceof JsonText ? answered.text : JSON.stringify(answered)
  // Its length shows once it is written.
  request.spend?.(Math.ceil(body.length * costs.answerCharacter))
  return { kind: 'ok', body }
}

/**
 * The signer; where the organization changes all the time, identified between two amendments of this host. One such
 * query at a time waits with the amendments: anybody may send queries, and could otherwise hold the amendments up.
 */
async function signerInTurn(
  host: Host,
  asked: Asked,
  organizationId: string,
  ask: Ask,
): ReturnType<typeof signerOf> {
  const identify = () => signerOf(host, asked, organizationId, ask)
  try {
    return await identify()
  } catch (error) {
    if (!(error instanceof KeepsChanging)) throw error
    return await host.keyedMutex(`${organizationId} by query`, () =>
      host.keyedMutex(organizationId, identify),
    )
  }
}

/** For the one token of the stamp. A query that has its turn does not wait for the outside again. */
function askingOnce(host: Host): Ask {
  let answers: Promise<Answers> | undefined
  const ask: Ask = async (questions, organizationId) =>
    await answersTo(host, questions, await host.charters.tenantOf(organizationId))
  return (questions, organizationId) => (answers ??= ask(questions, organizationId))
}

type Answering = (host: Host) => Promise<unknown>

/** A record that is not in the store, and was not searched in the archives. */
class NotInStore extends Error {}

/**
 * A record that may be archived is looked for again in another turn: archives may be in a slow storage, and clients
 * that wait for a signature read its record.
 */
async function inTurn(
  host: Host,
  { long }: Pick<Query, 'long'>,
  organizationId: string,
  answering: Answering,
): Promise<unknown> {
  const { archives, longQueries } = host
  if (long === undefined) return await answering(host)
  if (long !== 'record' || archives === undefined)
    return await longQueries[long].run(organizationId, () => answering(host))
  const unopened = {
    ...archives,
    activity: async () => {
      throw new NotInStore()
    },
  }
  try {
    return await longQueries.record.run(organizationId, () => answering({ ...host, archives: unopened }))
  } catch (error) {
    if (!(error instanceof NotInStore)) throw error
    return await longQueries.archived.run(organizationId, () => answering(host))
  }
}

/** Whether a turn of the event loop has passed since. */
function turnsPassed(): () => boolean {
  let hasPassed = false
  void nextTurn().then(() => {
    hasPassed = true
  })
  return () => hasPassed
}

/** An old primary lacks what its successor has acknowledged: it does not say that something does not exist. */
async function confirmedIfAbsent<T>(confirm: Confirm, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Failure && error.code === NOT_FOUND) await confirm()
    throw error
  }
}

/** The query and its stamp, read; admitted where the organization is certain. The signer is not known yet. */
export function askedIn<Q>(
  query: { readonly request: Shape<Q> } & Pick<Query, 'attestable' | 'findsSubOrganization'>,
  request: AnswerRequest,
): { readonly parsed: Q; readonly organizationId: string; readonly asked: Asked } {
  expectStamp(request)
  const body = bodyText(request.body)
  const parsed = query.request.read(readJsonObject(body), '', 'lenient')
  const { organizationId } = parsed as { readonly organizationId: string } // every query's request declares it
  if (!isUuid(organizationId)) throw malformedOrganizationId({ organizationId })
  if (request.watch !== undefined) request.watch.organizationId = organizationId
  // Users of sub-organizations could otherwise use up the share of the parent, or be refused for it.
  if (query.findsSubOrganization !== true) request.admit?.(organizationId)
  const { stamp, clientAddress } = request
  const asked: Asked = {
    body,
    stamp,
    ...(clientAddress === undefined ? {} : { clientAddress }),
    ...(query.attestable === true ? { attestable: true } : {}),
  }
  return { parsed, organizationId, asked }
}
