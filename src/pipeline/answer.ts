import { asBuffer } from '../base/bytes.ts'
import { defineFailure, errorBody, type ErrorBody, type Failure, UNAUTHENTICATED } from '../base/failure.ts'
import { isUuid } from '../base/ids.ts'
import { readJsonObject } from '../base/strict-json.ts'
import type { Query } from '../catalogue/query.ts'
import { malformedOrganizationId } from '../catalogue/submission.ts'
import { requireOneStamp } from '../crypto/stamp.ts'
import { organizationNotFound } from '../vault/failures.ts'
import type { Identified, Signer, StampHeaders } from '../vault/protocol.ts'
import type { Host } from './host.ts'
import { readerFor } from './reader.ts'
import type { Reply } from './submit.ts'

export type AnswerRequest = { readonly body: Uint8Array; readonly stamp: StampHeaders }

export const ambiguousCredential = defineFailure<{ readonly what: string }>({
  kind: 'ambiguousCredential',
  code: UNAUTHENTICATED,
  errorCode: 'CREDENTIAL_CONFLICT',
  say: ({ what }) =>
    `more than one suborg associated with a ${what}: send the organizationId of the one that is meant`,
})

/** Answers one query: who asks is the vault's word, what is read was sealed by it. */
export async function answer(host: Host, query: Query, request: AnswerRequest): Promise<Reply> {
  const parsed = query.request.read(readJsonObject(request.body), '')
  const { organizationId } = parsed as { readonly organizationId: string } // every query's request declares it
  if (!isUuid(organizationId)) throw malformedOrganizationId({ organizationId })
  const asked = { body: asBuffer(request.body).toString('utf8'), stamp: request.stamp }
  let target = organizationId
  let identified = await identify(host, asked, target)
  if (identified.kind === 'refused' && query.findsSubOrganization === true) {
    const found = await subOrganizationOf(host, organizationId, request.stamp)
    if (found !== undefined) {
      target = found
      identified = await identify(host, asked, target)
    }
  }
  if (identified.kind === 'refused') return { kind: 'error', error: identified.error }
  const reader = await readerFor(host, target, identified)
  if (reader.charter.deleted) throw organizationNotFound({ organizationId })
  return { kind: 'ok', body: JSON.stringify(await query.answer(parsed, reader)) }
}

async function identify(
  host: Host,
  asked: { readonly body: string; readonly stamp: StampHeaders },
  organizationId: string,
): Promise<({ readonly kind: 'signer' } & Signer) | { readonly kind: 'refused'; readonly error: ErrorBody }> {
  const whole = new Set<string>()
  const ids = [organizationId]
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const rows = (await Promise.all(ids.map((id) => host.charters.get(id, true)))).filter(
      (row) => row !== undefined,
    )
    if (rows.length === 0) return refused(organizationNotFound({ organizationId }))
    const charters = rows.map((row) => host.charters.offer(row, whole.has(row.organizationId)))
    const identified: Identified = await host.vault.identify({ ...asked, organizationId, charters })
    if (identified.kind !== 'needs') return identified
    for (const id of identified.charters) {
      if (!ids.includes(id)) ids.push(id)
      whole.add(id)
    }
  }
  throw new Error(`no attempt of ${ATTEMPTS_MAX} met an unchanged organization`)
}

const ATTEMPTS_MAX = 10

/** The one sub-organization whose user holds the credential of this stamp; the stamp itself is verified afterwards, by the vault. */
async function subOrganizationOf(
  host: Host,
  parentId: string,
  headers: StampHeaders,
): Promise<string | undefined> {
  const stamp = requireOneStamp(headers)
  const lookup =
    stamp.kind === 'webauthn'
      ? { kind: 'CREDENTIAL_ID', value: stamp.credentialId, what: 'credential ID' }
      : { kind: 'PUBLIC_KEY', value: stamp.publicKey, what: 'public key' }
  const found = await host.store.find(
    { scope: parentId, kind: lookup.kind, value: lookup.value },
    { limit: 2 },
  )
  if (found.length > 1) throw ambiguousCredential({ what: lookup.what })
  return found[0]
}

function refused(failure: Failure): { readonly kind: 'refused'; readonly error: ErrorBody } {
  return { kind: 'refused', error: errorBody(failure) }
}
