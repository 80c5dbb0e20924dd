import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { costs } from '../base/costs.ts'
import type { Units } from '../base/work.ts'
import type { Ms } from '../base/world.ts'
import {
  type Audience,
  AUDIENCES_FEATURE,
  type Audiences,
  isAccepted,
  isKnown,
} from '../charter/identity-audiences.ts'
import { serviceIssuers } from '../charter/service-issuers.ts'
import {
  type AuthorizedParty,
  type OidcToken,
  type PeekedOidcToken,
  peekOidcToken,
  verifyOidcToken,
} from '../crypto/oidc-token.ts'
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

/** Each is asked in turn, while others of the organization wait. */
const QUESTIONS_MAX = 10

/**
 * What has to be known before these tokens can be verified: the keys of their issuers, each once, and none for those of the
 * service's own.
 *
 * @param audiences  where it is known whose tokens are taken: nobody is asked about one that is not
 * @throws           Failures `invalidOidcToken` for what is no token or names no URL as its issuer, `tooManyIssuers`
 */
export function questionsAbout(jwts: readonly string[], audiences?: Audiences): readonly Question[] {
  const questions = new Map<string, Question>()
  for (const jwt of jwts) {
    const claims = claimsOf(jwt)
    if (audiences !== undefined) checkAudience(claims, audiences)
    const question = questionAbout(claims)
    if (question !== undefined) questions.set(JSON.stringify(question), question)
  }
  if (questions.size > QUESTIONS_MAX) throw tooManyIssuers({ max: QUESTIONS_MAX })
  return [...questions.values()]
}

/** An identity token that has been verified, and whom it was issued to. */
export type IdentityToken = OidcToken & {
  /** To an application that the parent has said is its own. Only then is anything believed but whom the token is about. */
  readonly isOwn: boolean
}

/**
 * Verifies a token of whatever issuer, and that it was issued to an application whose tokens are taken here.
 *
 * @throws  Failures of `identityTokenFailures`
 * @see     docs/decisions/identity-tokens.md
 */
export async function verifyIdentityToken(
  jwt: string,
  means: {
    readonly now: Ms
    readonly service: Pick<Service, 'tokenVerifyKey'>
    readonly audiences: Audiences
    readonly answerTo: (question: Question) => Answer
  },
): Promise<IdentityToken> {
  const { audiences } = means
  const token = await verifiedToken(jwt, means)
  checkAudience(token, audiences)
  return { ...token, isOwn: isKnown(audiences, token) }
}

/** What verifying a token costs, of which the issuer says how many keys are read and tried. */
export function costOfToken(
  jwt: string,
  { answerTo }: { readonly answerTo: (question: Question) => Answer },
): Units {
  const question = questionAbout(claimsOf(jwt))
  const answer = question && answerTo(question)
  const keys = answer?.kind === 'answered' ? answer.text.length : 0
  return costs.identityToken + keys * costs.keySetCharacter
}

/**
 * That what was issued to this application is taken here (OpenID Connect Core, section 3.1.3.7, steps 3 to 5).
 *
 * @throws  Failure `invalidOidcToken`
 */
export function checkAudience(token: Audience & AuthorizedParty, audiences: Audiences): void {
  if (!isAccepted(audiences, token))
    throw invalidOidcToken({ why: `its audience is not listed in ${AUDIENCES_FEATURE} of the parent` })
  const { issuer, audience, authorizedParty = audience } = token
  if (authorizedParty !== audience && !isKnown(audiences, { issuer, audience: authorizedParty }))
    throw invalidOidcToken({
      why: `it was issued to another client (azp), which is not listed in ${AUDIENCES_FEATURE} of the parent`,
    })
}

async function verifiedToken(
  jwt: string,
  means: {
    readonly now: Ms
    readonly service: Pick<Service, 'tokenVerifyKey'>
    readonly answerTo: (question: Question) => Answer
  },
): Promise<OidcToken> {
  const claims = claimsOf(jwt)
  const { issuer } = claims
  const { now, service } = means
  const question = questionAbout(claims)
  if (question === undefined)
    return await verifyServiceOidcToken(jwt, service.tokenVerifyKey, { now, issuer })
  const answer = means.answerTo(question)
  if (answer.kind === 'failed') throw issuerNotAnswering({ issuer, why: answer.why })
  return await verifyOidcToken(jwt, answer.text, { now, issuer })
}

function questionAbout({ issuer, kid }: PeekedOidcToken): Question | undefined {
  if (isServiceIssuer(issuer)) return undefined
  // Which of them may be asked is for the way out to say, which knows what an operator allows.
  if (!URL.canParse(issuer)) throw invalidOidcToken({ why: 'its issuer is not a URL' })
  return { about: 'issuerKeys', issuer, ...(kid === undefined ? {} : { kid }) }
}

function isServiceIssuer(issuer: string): boolean {
  return Object.values(serviceIssuers).includes(issuer)
}

/** Nothing of it is believed yet. */
function claimsOf(jwt: string): PeekedOidcToken {
  const claims = peekOidcToken(jwt)
  if (claims === undefined)
    throw invalidOidcToken({ why: 'it is not a JWT with an issuer, a subject and exactly one audience' })
  return claims
}
