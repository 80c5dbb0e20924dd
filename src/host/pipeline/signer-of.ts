import { errorBody, type ErrorBody, type Failure } from '../../trusted/base/failure.ts'
import { organizationNotFound } from '../../trusted/vault/failures.ts'
import type { Identified, IdentifyRequest, Signer } from '../../protocol/vault.ts'
import type { Host } from './host.ts'
import { Rereading } from './rereading.ts'

/** A query, or a request to be examined, in its original bytes. */
export type Asked = Omit<IdentifyRequest, 'organizationId' | 'charters'>

/** The signer, as this organization or its parent knows the user; the vault identifies it. */
export async function signerOf(
  host: Pick<Host, 'vault'> & { readonly charters: Pick<Host['charters'], 'get' | 'offer'> },
  asked: Asked,
  organizationId: string,
): Promise<({ readonly kind: 'signer' } & Signer) | { readonly kind: 'refused'; readonly error: ErrorBody }> {
  const whole = new Set<string>()
  const rereading = new Rereading()
  const ids = [organizationId]
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const rows = (await Promise.all(ids.map((id) => host.charters.get(id, true)))).filter(
      (row) => row !== undefined,
    )
    if (rows.length === 0) return refused(organizationNotFound({ organizationId }))
    const charters = rows.map((row) => host.charters.offer(row, whole.has(row.organizationId)))
    const identified: Identified = await host.vault.identify({ ...asked, organizationId, charters })
    if (identified.kind === 'outdated') {
      rereading.note(identified)
      continue
    }
    if (identified.kind !== 'needs') return identified
    for (const id of identified.charters) {
      if (!ids.includes(id)) ids.push(id)
      whole.add(id)
    }
  }
  throw new Error(`no attempt of ${ATTEMPTS_MAX} met an unchanged organization`)
}

const ATTEMPTS_MAX = 10

function refused(failure: Failure): { readonly kind: 'refused'; readonly error: ErrorBody } {
  return { kind: 'refused', error: errorBody(failure) }
}
