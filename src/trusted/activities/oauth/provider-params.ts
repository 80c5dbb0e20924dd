import { present } from '../../base/assert.ts'
import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Ms } from '../../base/world.ts'
import type { VerificationMeans } from '../../catalogue/activity.ts'
import {
  checkAudience,
  costOfToken,
  type IdentityToken,
  identityTokenFailures,
  questionsAbout,
  verifyIdentityToken,
} from '../../catalogue/identity-tokens.ts'
import type { Question } from '../../catalogue/question.ts'
import { label, list, object, optional, text, type TypeOf } from '../../catalogue/shape.ts'
import type { OauthProvider } from '../../charter/charter.ts'
import type { OidcIdentity } from '../../charter/holders.ts'
import { type Audiences, isKnown } from '../../charter/identity-audiences.ts'
import { limits } from '../../charter/limits.ts'
import { peekOidcToken } from '../../crypto/oidc-token.ts'
import { provenGoogleEmail } from './google.ts'

export const OAUTH_PROVIDERS_AT_ONCE_MAX = limits.oauthProvidersPerUser

export const oidcToken = text({ max: 16_384 })
const claim = text({ min: 1, max: 1024 })

/** `OauthProviderParams`: proven by a token. */
export const oauthProviderParamsV1 = object({ providerName: label, oidcToken })

/** `OauthProviderParamsV2`: proven by its own token or by that of another entry. */
export const oauthProviderParams = object({
  providerName: label,
  oidcToken: optional(oidcToken),
  oidcClaims: optional(object({ iss: claim, sub: claim, aud: claim })),
})
export type OauthProviderParams = TypeOf<typeof oauthProviderParams>

/** As many as a user may have. */
export const oauthProviderParamsList = list(oauthProviderParams, { max: OAUTH_PROVIDERS_AT_ONCE_MAX })

const tokenOrClaims = defineFailure<{ readonly providerName: string }>({
  kind: 'tokenOrClaims',
  code: INVALID_ARGUMENT,
  say: ({ providerName }) =>
    `invalid oauth provider ${JSON.stringify(providerName)}: it takes exactly one of oidcToken and oidcClaims`,
})

const claimsWithoutToken = defineFailure<{ readonly providerName: string }>({
  kind: 'claimsWithoutToken',
  code: INVALID_ARGUMENT,
  say: ({ providerName }) =>
    `invalid oauth provider ${JSON.stringify(providerName)}: oidcClaims need another entry with an oidcToken of the same iss and sub`,
})

export const oauthProviderFailures = [...identityTokenFailures, tokenOrClaims, claimsWithoutToken]

/** An identity at an issuer, ready to be registered. */
export type ProvenProvider = OidcIdentity & {
  readonly providerName: string
  /** The audience of the identity is claimed, not proven. */
  readonly isClaimed?: true
  /** The address that Google has verified. */
  readonly googleEmail?: string
}

/** Checks the entries of one user without external information. For `validate`. */
export function checkOauthProviders(entries: readonly OauthProviderParams[]): void {
  for (const { providerName, oidcToken: token, oidcClaims } of entries) {
    if ((token === undefined) === (oidcClaims === undefined)) throw tokenOrClaims({ providerName })
  }
  questionsAbout(tokensOf(entries))
  const identities = tokensOf(entries).map(peekOidcToken)
  for (const { providerName, oidcClaims } of entries) {
    if (oidcClaims === undefined) continue
    const { iss, sub } = oidcClaims
    if (!identities.some((identity) => identity?.issuer === iss && identity.subject === sub))
      throw claimsWithoutToken({ providerName })
  }
}

/** For `asks`. */
export function providerQuestions(
  entries: readonly OauthProviderParams[],
  audiences: Audiences,
): readonly Question[] {
  return questionsAbout(tokensOf(entries), audiences)
}

/**
 * Verifies the tokens of one user's entries, in their order. For `verify`. The token is not bound to a key here: any
 * holder may register its identity.
 */
export async function provenProviders(
  entries: readonly OauthProviderParams[],
  means: Pick<VerificationMeans, 'now' | 'service' | 'audiences' | 'answerTo' | 'work'>,
): Promise<readonly ProvenProvider[]> {
  const tokens: IdentityToken[] = []
  for (const token of tokensOf(entries)) {
    await means.work.step(costOfToken(token, means))
    tokens.push(await verifyIdentityToken(token, means))
  }
  const rest = tokens.values()
  return entries.map(({ providerName, oidcClaims }) => {
    if (oidcClaims !== undefined) return { providerName, ...claimedIdentity(oidcClaims, tokens, means) }
    const token = present(rest.next().value, 'a token for each entry without claims')
    const { issuer, audience, subject } = token
    const googleEmail = provenGoogleEmail(token)
    return { providerName, issuer, audience, subject, ...(googleEmail === undefined ? {} : { googleEmail }) }
  })
}

/**
 * Another entry's token proves the account; the audience is accepted where the parent lists both applications as its
 * own.
 */
function claimedIdentity(
  { iss: issuer, aud: audience, sub: subject }: NonNullable<OauthProviderParams['oidcClaims']>,
  tokens: readonly IdentityToken[],
  { audiences }: Pick<VerificationMeans, 'audiences'>,
): OidcIdentity & Pick<ProvenProvider, 'isClaimed'> {
  checkAudience({ issuer, audience }, audiences)
  const beside = tokens.filter((token) => token.issuer === issuer && token.subject === subject)
  const isProven = isKnown(audiences, { issuer, audience }) && beside.some(({ isOwn }) => isOwn)
  return { issuer, audience, subject, ...(isProven ? {} : { isClaimed: true }) }
}

export function newOauthProvider(
  { providerName, issuer, audience, subject, isClaimed }: ProvenProvider,
  { now, newId }: { readonly now: Ms; readonly newId: () => string },
): OauthProvider {
  return {
    providerId: newId(),
    providerName,
    issuer,
    audience,
    subject,
    ...(isClaimed === undefined ? {} : { isClaimed }),
    createdAt: now,
    updatedAt: now,
  }
}

/** Each proves its own entry. */
export function tokensOf(entries: readonly OauthProviderParams[]): readonly string[] {
  return entries.flatMap(({ oidcToken: token }) => (token === undefined ? [] : [token]))
}
