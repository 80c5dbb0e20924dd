import { toBase64url, utf8 } from '../service/bytes.ts'
import { NoPasskey } from '../service/stamp.ts'

/** Whom a passkey is of, as a browser keeps it and shows it to somebody who signs in. */
type Holder = {
  /** At most 64 bytes (WebAuthn level 3, section 5.4.3); `userHandle` makes one that finds the organization again. */
  readonly handle: Uint8Array<ArrayBuffer>
  readonly userName: string
  readonly organizationName: string
}

/**
 * Makes a passkey for a user in this browser: what `create_authenticators` takes of it.
 *
 * @param excluded  ids of passkeys that the user has: an authenticator with one of them makes no second one
 */
export async function newPasskey(
  { handle, userName, organizationName }: Holder,
  excluded: readonly Uint8Array<ArrayBuffer>[] = [],
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
          id: handle,
          name: `${userName} (${organizationName})`,
          displayName: userName,
        },
        excludeCredentials: excluded.map((id) => ({ type: 'public-key', id })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      },
    })
    .catch((error: unknown) => {
      throw new NoPasskey(error)
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
