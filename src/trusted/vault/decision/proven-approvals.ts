import { toBase64url, utf8 } from '../../base/bytes.ts'
import { costs } from '../../base/costs.ts'
import type { Work } from '../../base/work.ts'
import type { Ms } from '../../base/world.ts'
import type { Service } from '../../catalogue/service.ts'
import { requireOneStamp } from '../../crypto/stamp.ts'
import { verifyStamp } from '../../crypto/stamp-verify.ts'
import type { User } from '../../charter/charter.ts'
import type { Approval } from '../../policy/people.ts'
import { attestedAgain } from '../authentication/attested.ts'
import { ATTESTED_SCHEME, WEBAUTHN_SCHEME } from '../authentication/identify.ts'
import type { Proof } from '../seals/proof.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { approvalOf } from '../charters/holders.ts'
import { isFresh, type Vote, votedAt } from '../records/votes.ts'

/** An approval that still counts, and its proof. */
export type ProvenVote = {
  readonly user: User
  readonly approval: Approval
  readonly method: Proof
}

/**
 * The approvals among these votes that still count: not older than a day, and each proven again by its own bytes and
 * stamp with a credential that its user still holds. Expiry of the credential was checked when the vote was cast.
 */
export async function provenApprovals(
  compiled: CompiledCharter,
  votes: readonly Vote[],
  { service, now, work }: { readonly service: Service; readonly now: Ms; readonly work: Work },
): Promise<readonly ProvenVote[]> {
  const approvals: ProvenVote[] = []
  for (const vote of votes) {
    if (vote.selection !== 'VOTE_SELECTION_APPROVED' || !isFresh(vote, now)) continue
    // A waiting activity may have thousands: a user whose proofs are not complete may vote with each credential.
    await work.step(costs.vote)
    const approval = await proven(compiled, vote, service)
    if (approval !== undefined) approvals.push(approval)
  }
  return approvals
}

async function proven(
  compiled: CompiledCharter,
  vote: Vote,
  service: Service,
): Promise<ProvenVote | undefined> {
  const stamp = requireOneStamp(headersOf(vote))
  const message = utf8(vote.message)
  if (stamp.kind === 'session') return undefined
  if (stamp.kind === 'attested') {
    const attested = await attestedAgain(stamp, message, compiled, { service, castAt: votedAt(vote) })
    if (attested === undefined || attested.user.userId !== vote.userId) return undefined
    const { user, credential, proof: method } = attested
    return { user, approval: approvalOf(user, [credential]), method }
  }
  const holder = compiled.holders.get(stamp.kind === 'webauthn' ? stamp.credentialId : stamp.publicKey)
  if (holder === undefined || holder.user.userId !== vote.userId) return undefined
  if (!verifyStamp(stamp, message, holder.verification(), undefined)) return undefined
  return {
    user: holder.user,
    approval: approvalOf(holder.user, [holder.credential]),
    method: holder.proof,
  }
}

function headersOf({ publicKey, signature, scheme }: Vote) {
  if (scheme === WEBAUTHN_SCHEME) return { xStampWebauthn: signature }
  if (scheme === ATTESTED_SCHEME) return { xStampAttested: signature }
  return { xStamp: toBase64url(utf8(JSON.stringify({ publicKey, signature, scheme }))) }
}
