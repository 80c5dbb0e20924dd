import { defineFailure, UNAUTHENTICATED } from '../base/failure.ts'
import { type LookupKind, lookupValue, oidcIdentity } from '../charter/directory.ts'
import { peekOidcToken } from '../crypto/oidc-token.ts'
import { requireOneStamp, type Stamp } from '../crypto/stamp.ts'
import { peekVerificationToken } from '../crypto/verification-token.ts'
import type { StampHeaders } from '../vault/protocol.ts'
import type { Host } from './host.ts'

export const ambiguousCredential = defineFailure<{ readonly what: string }>({
  kind: 'ambiguousCredential',
  code: UNAUTHENTICATED,
  errorCode: 'CREDENTIAL_CONFLICT',
  say: ({ what }) =>
    `more than one suborg associated with a ${what}: send the organizationId of the one that is meant`,
})

/**
 * The one sub-organization whose user the stamp is from: by the credential, by the contact that a verification token proves, or
 * by an identity elsewhere. Nothing is believed here; the stamp is verified afterwards, by the vault.
 */
export async function subOrganizationOf(
  { store, charters }: Pick<Host, 'store' | 'charters'>,
  parentId: string,
  headers: StampHeaders,
): Promise<string | undefined> {
  const lookup = lookupOf(requireOneStamp(headers))
  if (lookup === undefined) return undefined
  const { kind, what } = lookup
  const value = lookupValue(kind, lookup.value)
  const found = await store.find({ scope: parentId, kind, value }, { limit: 2 })
  if (found.length > 1) throw ambiguousCredential({ what })
  const [only] = found
  // The directory is no authority: what it names may be no organization at all, and is then named to nobody.
  return only !== undefined && (await charters.get(only, false)) !== undefined ? only : undefined
}

type Lookup = { readonly kind: LookupKind; readonly value: string; readonly what: string }

function lookupOf(stamp: Stamp): Lookup | undefined {
  if (stamp.kind === 'session') return undefined
  if (stamp.kind === 'webauthn')
    return { kind: 'CREDENTIAL_ID', value: stamp.credentialId, what: 'credential ID' }
  if (stamp.kind === 'apiKey') return { kind: 'PUBLIC_KEY', value: stamp.publicKey, what: 'public key' }
  if (stamp.scheme === 'STAMP_ATTESTED_SCHEME_P256_OIDC') {
    const identity = peekOidcToken(stamp.publicKeyAttestation)
    return identity && { kind: 'OIDC_IDENTITY', value: oidcIdentity(identity), what: 'identity' }
  }
  const token = peekVerificationToken(stamp.publicKeyAttestation)
  if (token === undefined) return undefined
  return token.verificationType === 'OTP_TYPE_EMAIL'
    ? { kind: 'VERIFIED_EMAIL', value: token.contact, what: 'verified email address' }
    : { kind: 'VERIFIED_PHONE_NUMBER', value: token.contact, what: 'verified phone number' }
}
