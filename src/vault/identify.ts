import type { Ms } from '../base/world.ts'
import type { User } from '../charter/charter.ts'
import { isExpired } from '../charter/members.ts'
import { requireOneStamp, signatureNotVerified, type Stamp, type StampHeaders } from '../crypto/stamp.ts'
import type { StampVerifier } from '../crypto/stamp-verify.ts'
import { apiKeyExpired, authenticatorNotFound, publicKeyNotFound } from './failures.ts'
import type { Holder, Standing } from './standing.ts'

/** Whose request this is, proven by its stamp. */
export type Identity = {
  readonly user: User
  /** The organization that the user belongs to: the one addressed, or its parent. */
  readonly standing: Standing
  readonly credential: Holder['credential']
  /** What the vote record keeps, so that the stamp can be verified again. */
  readonly proof: { readonly publicKey: string; readonly signature: string; readonly scheme: string }
  readonly snapshot: () => string
}

export type IdentifyResult =
  | { readonly kind: 'identity'; readonly identity: Identity }
  | { readonly kind: 'needsParent'; readonly parentId: string }

export const WEBAUTHN_SCHEME = 'SIGNATURE_SCHEME_TK_WEBAUTHN'

/**
 * Finds the credential in the organization addressed, then in its parent, and verifies the stamp with it.
 *
 * @param organizationId  the organization addressed
 * @param standings       its charter first; the parent's where it is at hand
 */
export async function identify(
  verifyStamp: StampVerifier,
  request: { readonly body: Uint8Array; readonly headers: StampHeaders; readonly organizationId: string },
  standings: { readonly own: Standing; readonly parent: Standing | undefined },
  now: Ms,
): Promise<IdentifyResult> {
  const stamp = requireOneStamp(request.headers)
  const { own, parent } = standings
  const name = stamp.kind === 'webauthn' ? stamp.credentialId : stamp.publicKey.toLowerCase()
  const standing = own.holders.has(name) ? own : parent
  const holder = standing?.holders.get(name)
  const { parentId } = own.charter
  // A stranger may be known to the parent; and where a passkey may be used from is the parent's word too.
  if (
    parentId !== null &&
    parent === undefined &&
    (standing === undefined || (stamp.kind === 'webauthn' && own.origins === undefined))
  )
    return { kind: 'needsParent', parentId }
  if (
    standing === undefined ||
    holder === undefined ||
    (holder.apiKey === undefined) !== (stamp.kind === 'webauthn')
  )
    throw notFound(stamp, request.organizationId)
  const origins = own.origins ?? parent?.origins
  if (!(await verifyStamp(stamp, request.body, holder.verification(), origins)))
    throw signatureNotVerified(stamp)
  if (holder.apiKey !== undefined && isExpired(holder.apiKey, now))
    throw apiKeyExpired({ organizationId: request.organizationId, publicKey: holder.apiKey.publicKey })
  return { kind: 'identity', identity: identityOf(stamp, standing, holder) }
}

function identityOf(stamp: Stamp, standing: Standing, holder: Holder): Identity {
  const proof =
    stamp.kind === 'webauthn'
      ? {
          publicKey: holder.credential.publicKey,
          signature: JSON.stringify(webauthnJson(stamp)),
          scheme: WEBAUTHN_SCHEME,
        }
      : { publicKey: holder.credential.publicKey, signature: stamp.signature, scheme: stamp.scheme }
  const { user, credential } = holder
  return { user, standing, credential, proof, snapshot: () => standing.snapshot(user) }
}

function webauthnJson({
  credentialId,
  authenticatorData,
  clientDataJson,
  signature,
}: Extract<Stamp, { kind: 'webauthn' }>) {
  return { credentialId, authenticatorData, clientDataJson, signature }
}

function notFound(stamp: Stamp, organizationId: string): Error {
  return stamp.kind === 'webauthn'
    ? authenticatorNotFound({ organizationId, credentialId: stamp.credentialId })
    : publicKeyNotFound({ organizationId, publicKey: stamp.publicKey })
}
