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

const issuerNotAnswering = defineFailure<{ readonly issuer: string; readonly why: string }>({
  kind: 'issuerNotAnswering',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_OIDC_TOKEN',
  say: ({ issuer, why }) =>
    `invalid OIDC token: the keys of ${JSON.stringify(issuer.slice(0, 200))} could not be had: ${why}`,
})

const tooManyIssuers = defineFailure<{ readonly max: number }>({
  kind: 'tooManyIssuers',
  code: INVALID_ARGUMENT,
  say: ({ max }) => `invalid request: its tokens were signed with more than ${max} keys of issuers`,
})

export const identityTokenFailures = [invalidOidcToken, issuerNotAnswering, tooManyIssuers]

/** All questions of a request are asked at the same time, under one deadline. */
const QUESTIONS_MAX = 10

/**
 * The questions to ask before these tokens can be verified: for the keys of their issuers, each once, and none for the
 * service's own tokens.
 *
 * @param audiences  the accepted applications, where they are known: no question is asked about a token of another one
 * @throws           Failures `invalidOidcToken` for a text that is no token or names no URL as its issuer,
 *                   `tooManyIssuers`
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

/** A verified identity token, and whether it was issued to an application of the parent's own. */
export type IdentityToken = OidcToken & {
  /** Whether the parent has listed the application as its own. Of any other token only the identity is believed. */
  readonly isOwn: boolean
}

/**
 * Verifies a token of any issuer, and checks that it was issued to an application whose tokens are accepted here.
 *
 * @throws  Failures of `identityTokenFailures`
 * @see     docs/decisions/identity-tokens.md
 */
export async function verifyIdentityToken(
  jwt: string,
  means: {
    readonly now: Ms
    readonly service: Pick<Service, 'tokenVerifyKeys'>
    readonly audiences: Audiences
    readonly answerTo: (question: Question) => Answer
  },
): Promise<IdentityToken> {
  const { audiences } = means
  const token = await verifiedToken(jwt, means)
  checkAudience(token, audiences)
  return { ...token, isOwn: isKnown(audiences, token) }
}

/** The cost of verifying a token. The issuer decides how many keys are read and tried. */
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
 * Checks that tokens for this application are accepted here (OpenID Connect Core, section 3.1.3.7, steps 3 to 5).
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
    readonly service: Pick<Service, 'tokenVerifyKeys'>
    readonly answerTo: (question: Question) => Answer
  },
): Promise<OidcToken> {
  const claims = claimsOf(jwt)
  const { issuer } = claims
  const { now, service } = means
  const question = questionAbout(claims)
  if (question === undefined)
    return await verifyServiceOidcToken(jwt, service.tokenVerifyKeys(now), { now, issuer })
  const answer = means.answerTo(question)
  if (answer.kind === 'failed') throw issuerNotAnswering({ issuer, why: answer.why })
  return await verifyOidcToken(jwt, answer.text, { now, issuer })
}

function questionAbout({ issuer, kid }: PeekedOidcToken): Question | undefined {
  if (isServiceIssuer(issuer)) return undefined
  // The guarded client decides which of them may be asked: it knows the operator's settings.
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
