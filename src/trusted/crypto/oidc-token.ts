import { errors, type JWK, createLocalJWKSet, jwtVerify } from 'jose'
import { Failure } from '../base/failure.ts'
import { type JsonObject, type JsonValue, readJsonObject } from '../base/strict-json.ts'
import type { Ms } from '../base/world.ts'
import { readJwt } from './jwt.ts'
import { verificationKeys } from './oidc-keys.ts'
import { invalidOidcToken } from './oidc-token-failures.ts'

/** The subject, audience and issuer that a token names. */
export type OidcIdentity = {
  readonly issuer: string
  readonly audience: string
  readonly subject: string
}

export type OidcToken = OidcIdentity & {
  /** The nonce of the log-in: the hash of a public key. */
  readonly nonce?: string
  readonly email?: string
  readonly emailVerified?: boolean
} & AuthorizedParty

/**
 * The client that the token was issued to, where the issuer names it beside the audience (OpenID Connect Core, section
 * 2).
 */
export type AuthorizedParty = { readonly authorizedParty?: string }

/** The clocks of an issuer and of this service may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60

/** Regardless of its `exp`, a token is accepted for a day after it was issued. */
const AGE_MAX_SECONDS = 24 * 60 * 60

/**
 * The claims of a compact JWT without any verification, to look up the objects that they name. `kid` names the key of
 * the issuer.
 *
 * @returns  undefined when it does not parse, and when it is not for exactly one audience
 */
export function peekOidcToken(jwt: string): PeekedOidcToken | undefined {
  const parts = readJwt(jwt)
  const identity = parts && readIdentity(parts.payload)
  if (identity === undefined) return undefined
  const kid = parts?.header['kid']
  const claimed = { ...identity, ...authorizedPartyIn(parts?.payload ?? {}) }
  return typeof kid === 'string' ? { ...claimed, kid } : claimed
}

export type PeekedOidcToken = OidcIdentity & AuthorizedParty & { readonly kid?: string }

/**
 * Verifies an identity token (OpenID Connect Core, section 3.1.3.7) with keys that its issuer publishes. The caller
 * checks the audience, the subject and the nonce.
 *
 * @param jwksJson  JWK Set (RFC 7517, section 5) as the issuer answered
 * @param expected  the issuer of the keys
 * @throws          Failure `invalidOidcToken`
 */
export async function verifyOidcToken(
  jwt: string,
  jwksJson: string,
  expected: { readonly now: Ms; readonly issuer: string },
): Promise<OidcToken> {
  // Our own reader comes first: it refuses tokens that two readers could understand differently.
  const parts = readJwt(jwt)
  if (parts === undefined) throw invalidOidcToken({ why: 'it is not a JWT in compact form' })
  if (!isTokenType(parts.header['typ'])) throw invalidOidcToken({ why: 'its header names another type' })
  const keys = verificationKeys(readKeySet(jwksJson), parts.header['kid'])
  await verifySignatureAndTimes(jwt, keys, expected)
  const identity = readIdentity(parts.payload)
  if (identity === undefined)
    throw invalidOidcToken({ why: 'it needs an issuer, a subject and exactly one audience' })
  return { ...identity, ...authorizedPartyIn(parts.payload), ...readFurtherClaims(parts.payload) }
}

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']

/** RFC 9068, section 2.1: an access token names its type, so that it is not mistaken for an identity token. */
function isTokenType(typ: JsonValue | undefined): boolean {
  return typ === undefined || (typeof typ === 'string' && typ.toUpperCase() === 'JWT')
}

function readKeySet(jwksJson: string): JsonObject {
  if (jwksJson.length > keySetLengthMax)
    throw invalidOidcToken({ why: `the keys of its issuer have more than ${keySetLengthMax} characters` })
  try {
    return readJsonObject(jwksJson)
  } catch (error) {
    if (error instanceof Failure)
      throw invalidOidcToken({ why: 'the keys of its issuer are not a JSON object' })
    throw error
  }
}

const keySetLengthMax = 262_144

/** Where the token names no key, each suitable key is tried, in the order of the set. */
async function verifySignatureAndTimes(
  jwt: string,
  keys: readonly JWK[],
  { now, issuer }: { readonly now: Ms; readonly issuer: string },
): Promise<void> {
  const options = {
    algorithms: ALGORITHMS,
    issuer,
    // The given time, in the type that the library needs.
    currentDate: new Date(now),
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: AGE_MAX_SECONDS,
    requiredClaims: ['iss', 'aud', 'sub', 'exp'],
  }
  let why = `no key of its issuer fits it (keys of RSA must have 2048 bits or more)`
  for (const key of keys) {
    try {
      await jwtVerify(jwt, createLocalJWKSet({ keys: [key] }), options)
      return
    } catch (error) {
      const reason = reasonOf(error)
      if (reason.isFinal) throw invalidOidcToken({ why: reason.why })
      if (reason.why !== undefined) why = reason.why
    }
  }
  throw invalidOidcToken({ why })
}

type Reason =
  | { readonly isFinal: true; readonly why: string }
  | { readonly isFinal: false; readonly why: string | undefined }

/** Not final: another key may fit. The library's text is not shown, since it may quote the token. */
function reasonOf(error: unknown): Reason {
  if (error instanceof errors.JWKSNoMatchingKey) return { isFinal: false, why: undefined }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return { isFinal: false, why: 'its signature does not verify' }
  if (error instanceof errors.JWTExpired) {
    const why = error.claim === 'iat' ? 'it was issued more than a day ago' : 'it has expired'
    return { isFinal: true, why }
  }
  if (error instanceof errors.JWTClaimValidationFailed) return { isFinal: true, why: claimReason(error) }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return { isFinal: true, why: 'its algorithm is not accepted' }
  if (error instanceof errors.JOSEError) return { isFinal: true, why: 'it is not a signed JWT' }
  // WebCrypto's error for an invalid key, such as a point that is not on its curve.
  if (error instanceof DOMException || error instanceof TypeError)
    return { isFinal: false, why: 'the key of its issuer is not a key' }
  throw error
}

function claimReason({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return `it lacks the claim "${claim}"`
  if (reason === 'invalid') return `its claim "${claim}" is of the wrong type`
  if (claim === 'nbf') return 'it is not valid yet'
  if (claim === 'iat') return 'it says that it was issued in the future'
  if (claim === 'iss') return 'it was issued by another issuer'
  return `its claim "${claim}" is not accepted`
}

/** With a token for several audiences, each of them could log in at the others. */
function readIdentity({ iss, aud, sub }: JsonObject): OidcIdentity | undefined {
  const [audience, ...more] = Array.isArray(aud) ? aud : [aud]
  if (more.length > 0 || !isText(iss) || !isText(audience) || !isText(sub)) return undefined
  return { issuer: iss, audience, subject: sub }
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

/** A value that is not a string is treated as an unknown party, so it is not accepted. */
function authorizedPartyIn({ azp }: JsonObject): AuthorizedParty {
  return azp === undefined ? {} : { authorizedParty: typeof azp === 'string' ? azp : '' }
}

function readFurtherClaims(payload: JsonObject): Omit<OidcToken, keyof OidcIdentity> {
  const { email, email_verified } = payload
  // Where an issuer uses `nonce` itself, clients put theirs into `tknonce`.
  const nonce = payload['tknonce'] ?? payload['nonce']
  return {
    ...(typeof nonce === 'string' ? { nonce } : {}),
    ...(typeof email === 'string' ? { email } : {}),
    // Some issuers send a string where the specification has a boolean (section 5.1).
    ...(email_verified === undefined
      ? {}
      : { emailVerified: email_verified === true || email_verified === 'true' }),
  }
}
