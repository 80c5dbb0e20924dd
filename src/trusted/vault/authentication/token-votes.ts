import { Failure } from '../../base/failure.ts'
import type { Requester } from '../../catalogue/activity.ts'
import type { User } from '../../charter/charter.ts'
import { holderOfIdentity } from '../../charter/holders.ts'
import { peekOidcToken } from '../../crypto/oidc-token.ts'
import { type AttestedStamp, readAttestedStamp } from '../../crypto/stamp-attested.ts'
import { peekVerificationToken } from '../../crypto/verification-token.ts'
import { provenBy } from './attested.ts'
import { ATTESTED_SCHEME } from './identify.ts'
import type { StampHeaders } from '../../../protocol/vault.ts'
import type { Vote } from '../records/votes.ts'

/** The contact that a vote's verification token proved when it was cast; its record has been sealed since. */
export function provenContactOf(vote: Vote): Requester['provenContact'] {
  const jwt = tokenIn(vote, 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN')
  const token = jwt === undefined ? undefined : peekVerificationToken(jwt)
  return token && provenBy(token)
}

/** The id of the account elsewhere that a vote's identity token proved, as long as one of these users has it. */
export function provenAccountOf(vote: Vote, users: readonly User[]): string | undefined {
  const jwt = tokenIn(vote, 'STAMP_ATTESTED_SCHEME_P256_OIDC')
  const identity = jwt === undefined ? undefined : peekOidcToken(jwt)
  return identity && holderOfIdentity(users, identity)?.provider.providerId
}

function tokenIn({ scheme, signature }: Vote, wanted: AttestedStamp['scheme']): string | undefined {
  if (scheme !== ATTESTED_SCHEME) return undefined
  const stamp = readAttestedStamp(signature)
  return stamp.scheme === wanted ? stamp.publicKeyAttestation : undefined
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
