import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { type Charter, featureOf } from './charter.ts'
import { serviceIssuers } from './service-issuers.ts'

/**
 * The feature in which a parent lists the applications whose identity tokens it takes
 * (docs/decisions/identity-tokens.md).
 */
export const AUDIENCES_FEATURE = 'FEATURE_NAME_OIDC_AUDIENCES'

/** An application at an issuer: the claims `iss` and `aud` of the tokens that were issued to it. */
export type Audience = { readonly issuer: string; readonly audience: string }

export const onlyParentsListAudiences = defineFailure<{ readonly organizationId: string }>({
  kind: 'onlyParentsListAudiences',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_ACTIVITY_CALLER',
  say: ({ organizationId }) =>
    `organization ${organizationId} is a sub-organization: the applications whose identity tokens are taken are listed by its parent`,
})

/** Which applications' tokens are taken in an organization and its sub-organizations. */
export type Audiences = {
  /** The applications that the parent has listed as its own. */
  readonly known: readonly Audience[]
  /** Whether it has listed them, and so takes no other's. */
  readonly isClosed: boolean
}

/**
 * The audiences of this organization: those of its parent where it has one. Where the parent is not at hand, no token
 * is accepted.
 */
export function audiencesHere(charter: Charter, parent: Charter | undefined): Audiences {
  if (charter.parentId === null) return audiencesOf(charter)
  return parent === undefined ? { known: [], isClosed: true } : audiencesOf(parent)
}

/** Its list, and the applications at OAuth 2.0 providers whose client secrets it keeps here. */
function audiencesOf(parent: Charter): Audiences {
  const value = featureOf(parent, AUDIENCES_FEATURE)?.value
  const listed = value === undefined ? [] : entriesOf(value).flatMap((entry) => readAudience(entry) ?? [])
  const kept = parent.oauth2Credentials.map(({ provider, clientId }) => ({
    issuer: serviceIssuers[provider],
    audience: clientId,
  }))
  return { known: [...listed, ...kept], isClosed: value !== undefined }
}

export function isKnown({ known }: Audiences, { issuer, audience }: Audience): boolean {
  return known.some((item) => item.issuer === issuer && item.audience === audience)
}

export function isAccepted(audiences: Audiences, audience: Audience): boolean {
  return !audiences.isClosed || isKnown(audiences, audience)
}

/** A sub-organization that listed its own could make its parent find it by an address that nobody has proven. */
export function checkListsAudiences({ organizationId, parentId }: Charter, feature: string): void {
  if (feature === AUDIENCES_FEATURE && parentId !== null) throw onlyParentsListAudiences({ organizationId })
}

/** The mistake in such a list. */
export function audiencesProblem(value: string): string | undefined {
  const wrong = entriesOf(value).find((entry) => readAudience(entry) === undefined)
  return wrong === undefined
    ? undefined
    : `it takes an issuer and a client id with a space between them, such as https://accounts.google.com 4711.apps.googleusercontent.com, and commas between such pairs, not ${JSON.stringify(wrong.slice(0, 100))}`
}

function entriesOf(value: string): readonly string[] {
  return value.split(',').map((entry) => entry.trim())
}

function readAudience(entry: string): Audience | undefined {
  const [issuer = '', audience = '', ...more] = entry.split(/\s+/)
  return more.length === 0 && audience !== '' && URL.canParse(issuer) ? { issuer, audience } : undefined
}
