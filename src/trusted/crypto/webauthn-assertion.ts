import { constants, hash, verify } from 'node:crypto'
import { concat, toBase64url, utf8 } from '../base/bytes.ts'
import { verifyP256 } from './p256.ts'
import { isConsent } from './webauthn-consent.ts'
import { isOriginAllowed, normalChallenge, readClientData } from './webauthn-client-data.ts'
import type { PasskeyVerifyKey } from './webauthn-cose.ts'

/**
 * The assertion of a passkey for a request. `authenticatorData`: RP ID hash (32) ‖ flags (1) ‖ counter (4) ‖ extensions
 */
export type Assertion = {
  readonly authenticatorData: Uint8Array
  readonly clientDataJson: Uint8Array
  readonly signature: Uint8Array
}

/**
 * Whether the assertion is a passkey's consent to exactly this body (WebAuthn level 3, section 7.2). The service issues
 * no challenge and is bound to no RP ID, so those parts are not checked (docs/decisions/webauthn.md).
 *
 * @param origins  allowed origins, compared exactly; any when undefined
 */
export function verifyAssertion(
  assertion: Assertion,
  body: Uint8Array,
  key: PasskeyVerifyKey,
  origins?: readonly string[],
): boolean {
  const { authenticatorData, clientDataJson, signature } = assertion
  if (!isConsent(authenticatorData)) return false
  const clientData = readClientData(clientDataJson)
  if (clientData === undefined || clientData.type !== 'webauthn.get') return false
  if (normalChallenge(clientData.challenge) !== challengeOf(body)) return false
  if (!isOriginAllowed(clientData.origin, origins)) return false
  const signed = concat(authenticatorData, hash('sha256', clientDataJson, 'buffer'))
  if (key.algorithm === 'ES256') return verifyP256(key.key, signed, signature)
  return verify('sha256', signed, { key: key.key, padding: constants.RSA_PKCS1_PADDING }, signature)
}

/** base64url of the 64 ASCII bytes of the lowercase hex of SHA-256(body): the hex text, not the digest. */
export function challengeOf(body: Uint8Array): string {
  return toBase64url(utf8(hash('sha256', body, 'hex')))
}
