import { Failure } from '../../base/failure.ts'
import type { Requester } from '../../catalogue/activity.ts'
import { readAttestedStamp } from '../../crypto/stamp-attested.ts'
import { peekVerificationToken } from '../../crypto/verification-token.ts'
import { provenBy } from './attested.ts'
import { ATTESTED_SCHEME } from './identify.ts'
import type { StampHeaders } from '../../../protocol/vault.ts'
import type { Vote } from '../records/votes.ts'

/** The contact that a vote's verification token proved when it was cast; its record has been sealed since. */
export function provenContactOf({ scheme, signature }: Vote): Requester['provenContact'] {
  if (scheme !== ATTESTED_SCHEME) return undefined
  const stamp = readAttestedStamp(signature)
  if (stamp.scheme !== 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN') return undefined
  const token = peekVerificationToken(stamp.publicKeyAttestation)
  return token && provenBy(token)
}

export function tokenIdOf(vote: Vote): string | undefined {
  return provenContactOf(vote)?.tokenId
}

/** The same for a stamp that is not verified yet; only used to know which rows to bring. */
export function tokenIdIn({ xStampAttested }: StampHeaders): string | undefined {
  if (xStampAttested === undefined) return undefined
  try {
    return peekVerificationToken(readAttestedStamp(xStampAttested).publicKeyAttestation)?.id
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
