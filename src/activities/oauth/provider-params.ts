import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Ms } from '../../base/world.ts'
import type { WitnessMeans } from '../../catalogue/activity.ts'
import {
  identityTokenFailures,
  questionsAbout,
  verifyIdentityToken,
} from '../../catalogue/identity-tokens.ts'
import type { Question } from '../../catalogue/question.ts'
import { label, list, object, optional, text, type TypeOf } from '../../catalogue/shape.ts'
import type { OauthProvider } from '../../charter/charter.ts'
import type { OidcIdentity } from '../../charter/holders.ts'
import { limits } from '../../charter/limits.ts'
import { peekOidcToken } from '../../crypto/oidc-token.ts'
import { provenGoogleEmail } from './google.ts'

export const OAUTH_PROVIDERS_AT_ONCE_MAX = limits.oauthProvidersPerUser

export const oidcToken = text({ max: 16_384 })
const claim = text({ min: 1, max: 1024 })

/** `OauthProviderParams`: proven by a token. */
export const oauthProviderParamsV1 = object({ providerName: label, oidcToken })

/** `OauthProviderParamsV2`: proven by a token, or by another entry's. */
export const oauthProviderParams = object({
  providerName: label,
  oidcToken: optional(oidcToken),
  oidcClaims: optional(object({ iss: claim, sub: claim, aud: claim })),
})
export type OauthProviderParams = TypeOf<typeof oauthProviderParams>

/** As many as a user may have. */
export const oauthProviderParamsList = list(oauthProviderParams, { max: OAUTH_PROVIDERS_AT_ONCE_MAX })

export const tokenOrClaims = defineFailure<{ readonly providerName: string }>({
  kind: 'tokenOrClaims',
  code: INVALID_ARGUMENT,
  say: ({ providerName }) =>
    `invalid oauth provider ${JSON.stringify(providerName)}: it takes exactly one of oidcToken and oidcClaims`,
})

export const claimsWithoutToken = defineFailure<{ readonly providerName: string }>({
  kind: 'claimsWithoutToken',
  code: INVALID_ARGUMENT,
  say: ({ providerName }) =>
    `invalid oauth provider ${JSON.stringify(providerName)}: oidcClaims need an oidcToken of the same iss and sub beside them`,
})

export const oauthProviderFailures = [...identityTokenFailures, tokenOrClaims, claimsWithoutToken]

/** An identity elsewhere that has been proven, as it is to be registered. */
export type ProvenProvider = OidcIdentity & {
  readonly providerName: string
  /** The address that Google vouches for. */
  readonly googleEmail?: string
}

/** Refuses what can be seen to be wrong without asking anyone. For `validate`, with the entries of one user. */
export function checkOauthProviders(entries: readonly OauthProviderParams[]): void {
  for (const { providerName, oidcToken: token, oidcClaims } of entries) {
    if ((token === undefined) === (oidcClaims === undefined)) throw tokenOrClaims({ providerName })
  }
  questionsAbout(tokensOf(entries))
  const identities = tokensOf(entries).map(peekOidcToken)
  for (const { providerName, oidcClaims } of entries) {
    if (oidcClaims === undefined) continue
    const { iss, sub } = oidcClaims
    if (!identities.some((one) => one?.issuer === iss && one.subject === sub))
      throw claimsWithoutToken({ providerName })
  }
}

/** For `asks`. */
export function providerQuestions(entries: readonly OauthProviderParams[]): readonly Question[] {
  return questionsAbout(tokensOf(entries))
}

/**
 * Verifies the tokens of one user's entries, in their order. For `witness`. A token is not bound to anything here: whoever has
 * it may register its identity.
 */
export async function provenProviders(
  entries: readonly OauthProviderParams[],
  means: Pick<WitnessMeans, 'now' | 'service' | 'answerTo'>,
): Promise<readonly ProvenProvider[]> {
  const proven: ProvenProvider[] = []
  for (const { providerName, oidcToken: token, oidcClaims } of entries) {
    if (token !== undefined) {
      const verified = await verifyIdentityToken(token, means)
      const { issuer, audience, subject } = verified
      const googleEmail = provenGoogleEmail(verified)
      proven.push({
        providerName,
        issuer,
        audience,
        subject,
        ...(googleEmail === undefined ? {} : { googleEmail }),
      })
    } else if (oidcClaims !== undefined) {
      // `checkOauthProviders` saw a token of the same issuer and subject, which is verified like all of them.
      const { iss: issuer, aud: audience, sub: subject } = oidcClaims
      proven.push({ providerName, issuer, audience, subject })
    }
  }
  return proven
}

export function newOauthProvider(
  { providerName, issuer, audience, subject }: ProvenProvider,
  { now, newId }: { readonly now: Ms; readonly newId: () => string },
): OauthProvider {
  return { providerId: newId(), providerName, issuer, audience, subject, createdAt: now, updatedAt: now }
}

/** Each proves its own entry. */
export function tokensOf(entries: readonly OauthProviderParams[]): readonly string[] {
  return entries.flatMap(({ oidcToken: token }) => (token === undefined ? [] : [token]))
}
