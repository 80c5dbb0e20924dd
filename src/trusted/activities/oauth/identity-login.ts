import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../../base/failure.ts'
import type { Ms } from '../../base/world.ts'
import type { VerificationMeans } from '../../catalogue/activity.ts'
import {
  costOfToken,
  type IdentityToken,
  identityTokenFailures,
  questionsAbout,
  verifyIdentityToken,
} from '../../catalogue/identity-tokens.ts'
import type { Question } from '../../catalogue/question.ts'
import type { Charter, User } from '../../charter/charter.ts'
import { holderOfIdentity, type OidcIdentity, withProvenAccount } from '../../charter/holders.ts'
import { type Audiences, isKnown } from '../../charter/identity-audiences.ts'
import { peekOidcToken } from '../../crypto/oidc-token.ts'
import { invalidOidcToken } from '../../crypto/oidc-token-failures.ts'
import { oidcNonceFor } from '../../crypto/stamp-attested.ts'
import { GOOGLE, holderOfProvenEmail, provenGoogleEmail } from './google.ts'
import { newOauthProvider } from './provider-params.ts'

const onlySubOrganizationsLogIn = defineFailure<{ readonly organizationId: string }>({
  kind: 'onlySubOrganizationsLogIn',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_ACTIVITY_CALLER',
  say: ({ organizationId }) =>
    `organization ${organizationId} is not a sub-organization: only users of sub-organizations log in with identity tokens`,
})

const identityNotFound = defineFailure<OidcIdentity & { readonly organizationId: string }>({
  kind: 'identityNotFound',
  code: NOT_FOUND,
  say: ({ issuer, audience, subject, organizationId }) =>
    `could not find oauth provider in organization ${organizationId}: issuer=${shown(issuer)} audience=${shown(audience)} subject=${shown(subject)}`,
})

export const identityLoginFailures = [...identityTokenFailures, onlySubOrganizationsLogIn, identityNotFound]

/**
 * The question for the keys of the token's issuer, if the issuer is registered here: otherwise callers could make the
 * service contact any host. For `asks`.
 */
export function loginQuestions(jwt: string, charter: Charter, audiences: Audiences): readonly Question[] {
  const { organizationId, parentId, users } = charter
  if (parentId === null) throw onlySubOrganizationsLogIn({ organizationId })
  const questions = questionsAbout([jwt], audiences)
  const claimed = peekOidcToken(jwt)
  if (claimed === undefined) return questions
  const mayBeNew =
    claimed.issuer === GOOGLE &&
    isKnown(audiences, claimed) &&
    users.some(({ emailVerified }) => emailVerified)
  if (holderOfIdentity(users, claimed) === undefined && !mayBeNew)
    throw identityNotFound({ ...claimed, organizationId })
  return questions
}

/** @param publicKey  as it was sent: the token is bound to exactly this text. For `verify`. */
export async function verifiedLogin(
  jwt: string,
  publicKey: string,
  means: Pick<VerificationMeans, 'now' | 'service' | 'audiences' | 'answerTo' | 'work'>,
): Promise<IdentityToken> {
  await means.work.step(costOfToken(jwt, means))
  const token = await verifyIdentityToken(jwt, means)
  if (token.nonce !== oidcNonceFor(publicKey))
    throw invalidOidcToken({ why: 'its nonce is not the SHA-256 of the public key, in hexadecimal' })
  return token
}

/**
 * The user who logs in. A Google token also opens the account of a user who has verified the same address; Google is
 * then added to the user's providers.
 */
export function loggedIn(
  token: IdentityToken,
  charter: Charter,
  made: { readonly now: Ms; readonly newId: () => string },
): User {
  const known = holderOfIdentity(charter.users, token)
  if (known !== undefined) return withProvenAccount(known.user, known.provider.providerId)
  const email = provenGoogleEmail(token)
  const user = email === undefined ? undefined : holderOfProvenEmail(charter.users, email)
  if (user === undefined) {
    const { organizationId } = charter
    throw identityNotFound({ ...token, organizationId })
  }
  const { issuer, audience, subject } = token
  const provider = newOauthProvider({ providerName: 'Google', issuer, audience, subject }, made)
  return { ...user, oauthProviders: [...user.oauthProviders, provider] }
}

/** Claims of an unverified token, shortened for a message. */
function shown(claim: string): string {
  return JSON.stringify(claim.slice(0, 200))
}
