import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import type { Ms } from '../base/world.ts'
import type { Oauth2Provider } from '../charter/charter.ts'
import { type OidcToken, peekOidcToken, verifyOidcToken } from '../crypto/oidc-token.ts'
import { invalidOidcToken } from '../crypto/oidc-token-failures.ts'
import { verifyServiceOidcToken } from '../crypto/service-oidc-token.ts'
import type { Answer, Question } from './question.ts'
import type { Service } from './service.ts'

export const issuerNotAnswering = defineFailure<{ readonly issuer: string; readonly why: string }>({
  kind: 'issuerNotAnswering',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_OIDC_TOKEN',
  say: ({ issuer, why }) =>
    `invalid OIDC token: the keys of ${JSON.stringify(issuer.slice(0, 200))} could not be had: ${why}`,
})

export const tooManyIssuers = defineFailure<{ readonly max: number }>({
  kind: 'tooManyIssuers',
  code: INVALID_ARGUMENT,
  say: ({ max }) => `invalid request: its tokens were signed with more than ${max} keys of issuers`,
})

export const identityTokenFailures = [invalidOidcToken, issuerNotAnswering, tooManyIssuers]

/**
 * Who has issued the tokens that the service makes itself, after an OAuth 2.0 login at this provider. No issuer on the web can
 * be called so; and each provider has its own, as a number that one gives a user may be someone else's at another.
 */
export const serviceIssuers: Readonly<Record<Oauth2Provider, string>> = {
  OAUTH2_PROVIDER_X: 'urn:claviger:oauth2:x',
  OAUTH2_PROVIDER_DISCORD: 'urn:claviger:oauth2:discord',
}

/** Each is asked in turn, while others of the organization wait. */
const QUESTIONS_MAX = 10

/**
 * What has to be known before these tokens can be verified: the keys of their issuers, each once, and none for those of the
 * service's own.
 *
 * @throws  Failures `invalidOidcToken` for what is no token or names no URL as its issuer, `tooManyIssuers`
 */
export function questionsAbout(jwts: readonly string[]): readonly Question[] {
  const questions = new Map<string, Question>()
  for (const jwt of jwts) {
    const question = questionAbout(jwt)
    if (question !== undefined) questions.set(JSON.stringify(question), question)
  }
  if (questions.size > QUESTIONS_MAX) throw tooManyIssuers({ max: QUESTIONS_MAX })
  return [...questions.values()]
}

/** Whoever the token was issued by: that it is who it says is all that is known then. */
export async function verifyIdentityToken(
  jwt: string,
  means: {
    readonly now: Ms
    readonly service: Service
    readonly answerTo: (question: Question) => Answer
  },
): Promise<OidcToken> {
  const { issuer } = claimsOf(jwt)
  const { now, service } = means
  const question = questionAbout(jwt)
  if (question === undefined) return verifyServiceOidcToken(jwt, service.tokenVerifyKey, { now, issuer })
  const answer = means.answerTo(question)
  if (answer.kind === 'failed') throw issuerNotAnswering({ issuer, why: answer.why })
  return await verifyOidcToken(jwt, answer.text, { now, issuer })
}

function questionAbout(jwt: string): Question | undefined {
  const { issuer, kid } = claimsOf(jwt)
  if (isServiceIssuer(issuer)) return undefined
  // Which of them may be asked is for the way out to say, which knows what an operator allows.
  if (!URL.canParse(issuer)) throw invalidOidcToken({ why: 'its issuer is not a URL' })
  return { about: 'issuerKeys', issuer, ...(kid === undefined ? {} : { kid }) }
}

function isServiceIssuer(issuer: string): boolean {
  return Object.values(serviceIssuers).includes(issuer)
}

/** Nothing of it is believed yet. */
function claimsOf(jwt: string): NonNullable<ReturnType<typeof peekOidcToken>> {
  const claims = peekOidcToken(jwt)
  if (claims === undefined)
    throw invalidOidcToken({ why: 'it is not a JWT with an issuer, a subject and exactly one audience' })
  return claims
}
