import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Ms } from '../../base/world.ts'
import type { Service } from '../../catalogue/service.ts'
import type { Charter } from '../../charter/charter.ts'
import {
  readVerificationToken,
  type VerificationToken,
  verificationTokenExpired,
  verificationTokenMalformed,
  verificationTokenSignatureNotVerified,
} from '../../crypto/verification-token.ts'
import { isOtpType, type OtpType } from '../../objects/contact-type.ts'

export const verificationTokenForeign = defineFailure({
  kind: 'verificationTokenForeign',
  code: INVALID_ARGUMENT,
  say: () => 'invalid verification token: it was issued for another organization',
})

export const presentedTokenFailures = [
  verificationTokenMalformed,
  verificationTokenSignatureNotVerified,
  verificationTokenExpired,
  verificationTokenForeign,
]

type PresentedToken = VerificationToken & { readonly verificationType: OtpType }

/**
 * A verification token that may be used in an organization: issued for it or its parent. The caller checks whether it
 * was used before, and by which user. For `verify`.
 *
 * @throws  `presentedTokenFailures`
 */
export async function presentedToken(
  jwt: string,
  where: { readonly charter: Charter; readonly service: Service; readonly now: Ms },
): Promise<PresentedToken> {
  const { charter, service, now } = where
  const token = await readVerificationToken(jwt, service.tokenVerifyKeys(now), now)
  const { verificationType } = token
  if (!isOtpType(verificationType))
    throw verificationTokenMalformed({ why: 'its "verification_type" is unknown' })
  if (token.organizationId !== charter.organizationId && token.organizationId !== charter.parentId)
    throw verificationTokenForeign()
  return { ...token, verificationType }
}
