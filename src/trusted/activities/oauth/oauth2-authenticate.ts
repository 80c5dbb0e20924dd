import { utf8 } from '../../base/bytes.ts'
import { defineFailure, Failure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { isUuid } from '../../base/ids.ts'
import { type JsonObject, readJsonObject } from '../../base/strict-json.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import type { Question } from '../../catalogue/question.ts'
import type { Service } from '../../catalogue/service.ts'
import { object, optional, refined, shown, text, type TypeOf } from '../../catalogue/shape.ts'
import type { Charter } from '../../charter/charter.ts'
import { serviceIssuers } from '../../charter/service-issuers.ts'
import { credentialBundle } from '../../crypto/bundles.ts'
import { withoutSignature } from '../../crypto/jwt.ts'
import { readP256Key } from '../../crypto/p256.ts'
import { signServiceOidcToken } from '../../crypto/service-oidc-token.ts'
import { invalidTargetPublicKey } from '../sessions/bundled-key.ts'
import {
  clientSecretOf,
  knownOauth2Credential,
  mustBeSet,
  oauth2CredentialFailures,
  requireParent,
} from './oauth2-credential.ts'

const intent = object({
  oauth2CredentialId: refined(text({ max: 64 }), {
    // Empty text has a clearer failure of its own.
    problem: (value) =>
      value === '' || isUuid(value) ? undefined : `must be a UUID in lowercase, not ${shown(value)}`,
  }),
  authCode: text({ max: 4096 }),
  redirectUri: text({ max: 2048 }),
  codeVerifier: text({ max: 1024 }),
  nonce: text({ max: 1024 }),
  bearerTokenTargetPublicKey: optional(text({ max: 256 })),
})
const result = object({ oidcToken: text({ max: 32_768 }) })
type Intent = TypeOf<typeof intent>

const oauth2NotAnswered = defineFailure<{ readonly provider: string; readonly why: string }>({
  kind: 'oauth2NotAnswered',
  code: INVALID_ARGUMENT,
  say: ({ provider, why }) => `${provider} did not identify a user: ${why}`,
})

/** Long enough to log in or sign up with it immediately. */
const VALIDITY_MS = 15 * 60 * 1000

/**
 * Identifies a user at a provider that supports only OAuth 2.0, and issues an OpenID Connect identity token for them.
 */
export const oauth2Authenticate = defineActivity<
  Intent,
  TypeOf<typeof result>,
  Record<never, never>,
  Identified
>({
  operation: 'oauth2_authenticate',
  summary: 'Exchange the authorization code of an OAuth 2.0 provider for an OIDC token of this service',
  forms: form('ACTIVITY_TYPE_OAUTH2_AUTHENTICATE', intent, {
    key: 'oauth2AuthenticateResult',
    shape: result,
  }),
  resource: 'AUTH',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: false,
  logsIn: true,
  personal: { of: 'contact' },
  fails: [...oauth2CredentialFailures, invalidTargetPublicKey, oauth2NotAnswered],
  example: {
    intent: {
      oauth2CredentialId: '0198c5a0-7d3c-7000-8000-000000000006',
      authCode: 'NhhvTDYsFcdgNLnnLijcl7Ku7bEEeee',
      redirectUri: 'https://app.example/callback',
      codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      nonce: 'f33a3a29fb35f3ce5fd7c75b2bda50a2c614a1b9f52c1e11835d5c01047fc726',
    },
    result: {
      oidcToken:
        'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJ1cm46Y2xhdmlnZXI6b2F1dGgyOmRpc2NvcmQiLCJhdWQiOiIxMDg3NjU0MzIxMDk4NzY1NDMyIiwic3ViIjoiODAzNTExMDQ4NjIyNzk4ODU0In0.c2lnbmF0dXJl',
    },
  },
  withoutBearer: ({ oidcToken }) => ({ oidcToken: withoutSignature(oidcToken) }),
  validate: (given) => {
    for (const [field, name] of required) if (given[field] === '') throw mustBeSet({ name })
    targetOf(given)
  },
  asks: ({ intent: given, charter, service }) => [questionAbout(given, charter, service)],
  verify: async (given, { charter, service, answerTo }) => {
    const answer = answerTo(questionAbout(given, charter, service))
    const { provider } = knownOauth2Credential(charter, given.oauth2CredentialId)
    if (answer.kind === 'failed') throw oauth2NotAnswered({ provider, why: answer.why })
    return identifiedIn(answer.text, provider)
  },

  execute({ intent: given, charter, verified: { subject, bearerToken }, now, randomBytes, service }) {
    const { provider, clientId } = knownOauth2Credential(charter, given.oauth2CredentialId)
    const target = targetOf(given)
    const token = {
      issuer: serviceIssuers[provider],
      audience: clientId,
      subject,
      issuedAt: now,
      expiresAt: now + VALIDITY_MS,
      nonce: given.nonce,
      ...(target === undefined
        ? {}
        : { encryptedBearerToken: credentialBundle(utf8(bearerToken), target, randomBytes) }),
    }
    return { result: { oidcToken: signServiceOidcToken(token, service.tokenSigner) } }
  },
})

/** Texts that must not be empty, with their names in the failure. */
const required = [
  ['oauth2CredentialId', 'oauth2_credential_id'],
  ['authCode', 'auth_code'],
  ['redirectUri', 'redirect_uri'],
  ['codeVerifier', 'code_verifier'],
  ['nonce', 'nonce'],
] as const

function targetOf({ bearerTokenTargetPublicKey: targetPublicKey = '' }: Intent) {
  if (targetPublicKey === '') return undefined
  const target = readP256Key(targetPublicKey)
  if (target === undefined) throw invalidTargetPublicKey({ targetPublicKey })
  return target
}

function questionAbout(given: Intent, charter: Charter, service: Service): Question {
  requireParent(charter)
  const credential = knownOauth2Credential(charter, given.oauth2CredentialId)
  return {
    about: 'oauth2Identity',
    provider: credential.provider,
    clientId: credential.clientId,
    clientSecret: clientSecretOf(credential, service.oauth2Secrets),
    authCode: given.authCode,
    redirectUri: given.redirectUri,
    codeVerifier: given.codeVerifier,
  }
}

/** The user at the provider, and the access token with which the user was queried. */
type Identified = { readonly subject: string; readonly bearerToken: string }

function identifiedIn(answer: string, provider: string): Identified {
  const { subject, bearerToken } = readAnswer(answer)
  if (typeof subject !== 'string' || !SUBJECT.test(subject) || typeof bearerToken !== 'string')
    throw oauth2NotAnswered({ provider, why: 'its answer could not be read' })
  return { subject, bearerToken }
}

const SUBJECT = /^\d{1,32}$/

function readAnswer(text: string): JsonObject {
  try {
    return readJsonObject(text)
  } catch (error) {
    if (error instanceof Failure) return {}
    throw error
  }
}
