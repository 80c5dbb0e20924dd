import { hash, type KeyObject } from 'node:crypto'
import type { JsonObject, JsonValue } from '../base/strict-json.ts'
import type { Ms } from '../base/world.ts'
import { isHeader, readJwt, writeJwt } from './jwt.ts'
import { invalidOidcToken } from './oidc-token-failures.ts'
import { verifyP256P1363ByOneOf } from './p256.ts'
import type { Signer } from './signature.ts'

/** An identity token that the service itself issues, for providers that have OAuth 2.0 without OpenID Connect. */
export type ServiceOidcToken = {
  readonly issuer: string
  readonly audience: string
  readonly subject: string
  /** Both times are truncated to whole seconds. */
  readonly issuedAt: Ms
  readonly expiresAt: Ms
  readonly nonce?: string
  /** The provider's access token, encrypted to a key of the client. */
  readonly encryptedBearerToken?: string
}

/** @returns  an ES256 JWT (RFC 7518, section 3.4) */
export function signServiceOidcToken(token: ServiceOidcToken, signer: Signer): string {
  const { nonce, encryptedBearerToken } = token
  const payload = {
    iss: token.issuer,
    aud: token.audience,
    sub: token.subject,
    iat: Math.floor(token.issuedAt / 1000),
    exp: Math.floor(token.expiresAt / 1000),
    ...(nonce === undefined ? {} : { nonce }),
    ...(encryptedBearerToken === undefined ? {} : { encrypted_bearer_token: encryptedBearerToken }),
  }
  return writeJwt({ header: HEADER, payload }, (signed) => signer.sign(hash('sha256', signed, 'buffer')))
}

/**
 * Reads and verifies a token of `signServiceOidcToken`. The clock is our own, so there is no tolerance.
 *
 * @param keys  one of them is the signer's
 * @throws      Failure `invalidOidcToken`
 */
export async function verifyServiceOidcToken(
  jwt: string,
  keys: readonly KeyObject[],
  expected: { readonly now: Ms; readonly issuer: string },
): Promise<ServiceOidcToken> {
  const parts = readJwt(jwt)
  if (parts === undefined) throw invalidOidcToken({ why: 'it is not a JWT in compact form' })
  if (!isHeader(parts.header, HEADER))
    throw invalidOidcToken({ why: 'its header must say ES256 and JWT, and nothing else' })
  if (!(await verifyP256P1363ByOneOf(keys, parts.signedBytes, parts.signature)))
    throw invalidOidcToken({ why: 'its signature does not verify' })
  const token = readClaims(parts.payload)
  if (token === undefined) throw invalidOidcToken({ why: 'a claim is missing or of the wrong type' })
  if (token.issuer !== expected.issuer) throw invalidOidcToken({ why: 'it was issued by another issuer' })
  if (token.expiresAt <= expected.now) throw invalidOidcToken({ why: 'it has expired' })
  return token
}

const HEADER = { alg: 'ES256', typ: 'JWT' } as const

function readClaims(payload: JsonObject): ServiceOidcToken | undefined {
  const { iss, aud, sub, iat, exp, nonce, encrypted_bearer_token } = payload
  if (typeof iss !== 'string' || typeof aud !== 'string' || typeof sub !== 'string') return undefined
  if (!isSeconds(iat) || !isSeconds(exp)) return undefined
  if (nonce !== undefined && typeof nonce !== 'string') return undefined
  if (encrypted_bearer_token !== undefined && typeof encrypted_bearer_token !== 'string') return undefined
  return {
    issuer: iss,
    audience: aud,
    subject: sub,
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
    ...(nonce === undefined ? {} : { nonce }),
    ...(encrypted_bearer_token === undefined ? {} : { encryptedBearerToken: encrypted_bearer_token }),
  }
}

function isSeconds(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value * 1000)
}
