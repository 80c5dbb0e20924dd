import { hash } from 'node:crypto'
import type { Ms } from '../base/world.ts'
import { writeJwt } from './jwt.ts'
import type { Signer } from './signature.ts'

/**
 * The claims of a session token, for its holder. It is not a credential: requests are stamped with the key that it
 * names.
 */
export type SessionClaims = {
  readonly expiresAt: Ms
  /** The session key as the client sent it: clients find their key pair by this text. */
  readonly publicKey: string
  readonly sessionType: string
  readonly userId: string
  readonly organizationId: string
  /** Present for a session with a profile. */
  readonly sessionProfileId?: string
  readonly scope?: string
}

/**
 * The token that logins return. It looks like ES256 (RFC 7518, section 3.4) but differs: the signed digest is SHA-256
 * of SHA-256 of `header.payload`, as published clients verify it. `exp` is in whole seconds, rounded down.
 *
 * @param signer  P-256
 */
export function signSessionJwt(claims: SessionClaims, signer: Signer): string {
  const { sessionProfileId, scope } = claims
  const payload = {
    exp: Math.floor(claims.expiresAt / 1000),
    public_key: claims.publicKey,
    session_type: claims.sessionType,
    user_id: claims.userId,
    organization_id: claims.organizationId,
    ...(sessionProfileId === undefined ? {} : { session_profile_id: sessionProfileId }),
    ...(scope === undefined ? {} : { scope }),
  }
  return writeJwt({ header: { alg: 'ES256', typ: 'JWT' }, payload }, (signed) =>
    signer.sign(sha256(sha256(signed))),
  )
}

function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}
