import { utf8 } from '../base/bytes.ts'
import type { Ms } from '../base/world.ts'
import { requireOneStamp } from '../crypto/stamp.ts'
import { verifyStamp } from '../crypto/stamp-verify.ts'
import { toBase64url } from '../base/bytes.ts'
import type { Approval } from '../policy/people.ts'
import { WEBAUTHN_SCHEME } from './identify.ts'
import { approvalOf, type Standing } from './standing.ts'
import { isFresh, type Vote } from './votes.ts'

/**
 * The approvals among these votes that still count: not older than a day, and each proven again by its own bytes and stamp
 * with a credential that its user still holds. That the credential had not expired was seen when the vote was cast.
 */
export function provenApprovals(standing: Standing, votes: readonly Vote[], now: Ms): readonly Approval[] {
  return votes
    .filter((vote) => vote.selection === 'VOTE_SELECTION_APPROVED' && isFresh(vote, now))
    .flatMap((vote) => {
      const approval = proven(standing, vote)
      return approval === undefined ? [] : [approval]
    })
}

function proven(standing: Standing, vote: Vote): Approval | undefined {
  const isPasskey = vote.scheme === WEBAUTHN_SCHEME
  const { publicKey, signature, scheme } = vote
  const headers = isPasskey
    ? { xStampWebauthn: signature }
    : { xStamp: toBase64url(utf8(JSON.stringify({ publicKey, signature, scheme }))) }
  const stamp = requireOneStamp(headers)
  const holder = standing.holders.get(stamp.kind === 'webauthn' ? stamp.credentialId : stamp.publicKey)
  if (holder === undefined || holder.user.userId !== vote.userId) return undefined
  if (!verifyStamp(stamp, utf8(vote.message), holder.verification(), undefined)) return undefined
  return approvalOf(holder.user, [holder.credential])
}
