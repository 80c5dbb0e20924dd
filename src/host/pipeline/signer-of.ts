import { present } from '../../trusted/base/assert.ts'
import { errorBody, type ErrorBody, type Failure } from '../../trusted/base/failure.ts'
import type { Answers, Question } from '../../trusted/catalogue/question.ts'
import { organizationNotFound } from '../../trusted/vault/failures.ts'
import type { Identified, IdentifyRequest, Signer } from '../../protocol/vault.ts'
import type { Host } from './host.ts'
import { Rereading } from './rereading.ts'

/** A query, or a request to be examined, in its original bytes. */
export type Asked = Omit<IdentifyRequest, 'organizationId' | 'charters'>

/** The organization was amended during each of the attempts: without the turn of its amendments there may be no end. */
export class KeepsChanging extends Error {}

/** Fetches the answers to the vault's questions about a token, in the turn of this organization. */
export type Ask = (questions: readonly Question[], organizationId: string) => Promise<Answers>

/**
 * The signer, as this organization or its parent knows the user; the vault identifies it.
 *
 * @param ask  for a request that may be stamped with a token
 * @throws KeepsChanging
 */
export async function signerOf(
  host: Pick<Host, 'vault'> & { readonly charters: Pick<Host['charters'], 'get' | 'offer'> },
  asked: Asked,
  organizationId: string,
  ask?: Ask,
): Promise<({ readonly kind: 'signer' } & Signer) | { readonly kind: 'refused'; readonly error: ErrorBody }> {
  const whole = new Set<string>()
  const rereading = new Rereading()
  const ids = [organizationId]
  let answered: Pick<IdentifyRequest, 'answers'> = {}
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const rows = (await Promise.all(ids.map((id) => host.charters.get(id, true)))).filter(
      (row) => row !== undefined,
    )
    if (rows.length === 0) return refused(organizationNotFound({ organizationId }))
    const charters = rows.map((row) => host.charters.offer(row, whole.has(row.organizationId)))
    const identified: Identified = await host.vault.identify({
      ...asked,
      ...answered,
      organizationId,
      charters,
    })
    if (identified.kind === 'outdated') {
      rereading.note(identified)
      continue
    }
    if (identified.kind === 'asks') {
      const fetch = present(ask, 'the function that asks outside, for a request that takes a token')
      answered = { answers: await fetch(identified.questions, organizationId) }
      continue
    }
    if (identified.kind !== 'needs') return identified
    for (const id of identified.charters) {
      if (!ids.includes(id)) ids.push(id)
      whole.add(id)
    }
  }
  throw new KeepsChanging(`no attempt of ${ATTEMPTS_MAX} met an unchanged organization`)
}

const ATTEMPTS_MAX = 10

function refused(failure: Failure): { readonly kind: 'refused'; readonly error: ErrorBody } {
  return { kind: 'refused', error: errorBody(failure) }
}
