import { fromBase64url, toBase64url, toHex, utf8 } from './bytes.ts'
import { signP256, type SigningKey } from './p256.ts'

/** A header that proves whose request it is. */
type StampHeader = readonly [name: string, value: string]

/** Makes the header for exactly these bytes. */
export type Stamper = (body: Uint8Array<ArrayBuffer>) => Promise<StampHeader>

export function keyStamper(key: SigningKey): Stamper {
  return async (body) => {
    const signature = toHex(await signP256(key, body))
    const stamp = { publicKey: key.publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
    return ['X-Stamp', toBase64url(utf8(JSON.stringify(stamp)))]
  }
}

/** Reads only, and is the same for every request. */
export function sessionStamper(session: string): Stamper {
  return async () => ['X-Session', session]
}

/** Somebody closed the browser's question for a passkey, or has none that fits. */
export class NoPasskey extends Error {
  override readonly name = 'NoPasskey'
  /** Whether the browser uses no passkeys at the address of this page. */
  readonly isForbiddenHere: boolean

  /** @param reason  what the browser threw */
  constructor(reason?: unknown) {
    super(reason instanceof Error ? reason.message : '')
    this.isForbiddenHere = reason instanceof DOMException && reason.name === 'SecurityError'
  }
}

/**
 * Asks for a gesture over exactly these bytes: the passkey signs their SHA-256.
 *
 * @param credentialId  of the passkey to ask for; without it the browser offers those that it has for this host
 * @param onUsed        is told which passkey it was
 */
export function passkeyStamper(
  credentialId: string | undefined,
  onUsed: (credentialId: string) => void = () => {},
): Stamper {
  return async (body) => {
    const digest = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', body)))
    const id = credentialId === undefined ? undefined : fromBase64url(credentialId)
    const publicKey: PublicKeyCredentialRequestOptions = {
      challenge: utf8(digest),
      rpId: location.hostname,
      userVerification: 'preferred',
      ...(id === undefined ? {} : { allowCredentials: [{ type: 'public-key', id }] }),
    }
    const { credential, response } = await gesture(publicKey)
    onUsed(credential.id)
    const stamp = {
      credentialId: credential.id,
      authenticatorData: encoded(response.authenticatorData),
      clientDataJson: encoded(response.clientDataJSON),
      signature: encoded(response.signature),
    }
    return ['X-Stamp-Webauthn', JSON.stringify(stamp)]
  }
}

/** What a passkey says of itself when it is asked for a gesture over nothing: the handle that it was made with. */
export async function passkeyHandle(): Promise<{
  readonly credentialId: string
  readonly handle: ArrayBuffer | null
}> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: crypto.getRandomValues(new Uint8Array(32)),
    rpId: location.hostname,
    userVerification: 'preferred',
  }
  const { credential, response } = await gesture(publicKey)
  return { credentialId: credential.id, handle: response.userHandle }
}

async function gesture(publicKey: PublicKeyCredentialRequestOptions) {
  const credential = await navigator.credentials.get({ publicKey }).catch((error: unknown) => {
    throw new NoPasskey(error)
  })
  if (!(credential instanceof PublicKeyCredential)) throw new NoPasskey()
  const { response } = credential
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new NoPasskey()
  return { credential, response }
}

function encoded(bytes: ArrayBuffer): string {
  return toBase64url(new Uint8Array(bytes))
}
