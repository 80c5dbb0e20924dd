import type { Fingerprint } from './fingerprint.ts'

/** The body of a vote. It names the fingerprint that was computed from the bytes that were shown, and no other. */
export function voteBody(vote: {
  readonly selection: 'approve' | 'reject'
  readonly fingerprint: Fingerprint
  readonly organizationId: string
  readonly now: number
}): { readonly operation: string; readonly body: string } {
  const { selection, fingerprint, organizationId, now } = vote
  const operation = `${selection}_activity`
  const body = JSON.stringify({
    type: `ACTIVITY_TYPE_${operation.toUpperCase()}`,
    timestampMs: String(now),
    organizationId,
    parameters: { fingerprint: fingerprint.text },
  })
  return { operation, body }
}
