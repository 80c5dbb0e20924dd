import { toBase64url, utf8, fromHex } from '../service/bytes.ts'
import { NoPasskey } from '../service/stamp.ts'
import type { Member } from './session.ts'

/**
 * Makes a passkey for a user in this browser: what `create_authenticators` takes of it. The passkey carries the ids of its
 * organization and its user, so that signing in needs neither.
 *
 * @param excluded  ids of passkeys that the user has: an authenticator with one of them makes no second one
 */
export async function newPasskey(
  { organizationId, organizationName, userId, userName }: Member,
  excluded: readonly Uint8Array<ArrayBuffer>[],
) {
  const challenge = toBase64url(crypto.getRandomValues(new Uint8Array(32)))
  const credential = await navigator.credentials
    .create({
      publicKey: {
        rp: { id: location.hostname, name: 'Claviger' },
        challenge: utf8(challenge),
        pubKeyCredParams: [
          { type: 'public-key', alg: ES256 },
          { type: 'public-key', alg: RS256 },
        ],
        user: {
          id: userHandle(organizationId, userId),
          name: `${userName} (${organizationName})`,
          displayName: userName,
        },
        excludeCredentials: excluded.map((id) => ({ type: 'public-key', id })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      },
    })
    .catch((error: unknown) => {
      throw new NoPasskey(error instanceof Error ? error.message : '')
    })
  if (!(credential instanceof PublicKeyCredential)) throw new NoPasskey()
  const { response } = credential
  if (!(response instanceof AuthenticatorAttestationResponse)) throw new NoPasskey()
  return {
    challenge: toBase64url(utf8(challenge)),
    attestation: {
      credentialId: credential.id,
      clientDataJson: toBase64url(new Uint8Array(response.clientDataJSON)),
      attestationObject: toBase64url(new Uint8Array(response.attestationObject)),
      transports: [],
    },
  }
}

// RFC 9053, section 2.1, and RFC 8812, section 2
const ES256 = -7
const RS256 = -257

/** Two ids, 16 bytes each. */
function userHandle(organizationId: string, userId: string): Uint8Array<ArrayBuffer> {
  return fromHex(`${organizationId}${userId}`.replaceAll('-', '')) ?? new Uint8Array(32)
}

/** The organization that such a passkey is of; undefined where it was made elsewhere. */
export function organizationOf(handle: ArrayBuffer | null): string | undefined {
  const bytes = new Uint8Array(handle ?? new ArrayBuffer())
  if (bytes.length !== 32) return undefined
  const hex = [...bytes.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
