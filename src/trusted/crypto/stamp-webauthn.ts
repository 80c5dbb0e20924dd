import { fromBase64url, toBase64url } from '../base/bytes.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { stampMalformed, webauthnStampUnreadable } from './stamp-failures.ts'
import { readStampJson, type StampHeaderForm, stampText } from './stamp-json.ts'

/** All four are base64url without padding, even where padding was sent, so that equal bytes are equal texts. */
export type WebauthnStamp = {
  readonly kind: 'webauthn'
  readonly credentialId: string
  readonly authenticatorData: string
  readonly clientDataJson: string
  readonly signature: string
}

/**
 * Reads the value of `X-Stamp-WebAuthn`: the JSON object `{ authenticatorData, clientDataJson, credentialId, signature
 * }` as text, as clients send it, or base64url of it, as the interface describes it.
 *
 * @throws  Failure `webauthnStampUnreadable` when there is no such object, `stampMalformed` when a field of it is wrong
 */
export function readWebauthnStamp(header: string): WebauthnStamp {
  const json = readStampJson(header, headerForm)
  return {
    kind: 'webauthn',
    credentialId: base64urlOf(json, 'credentialId'),
    authenticatorData: base64urlOf(json, 'authenticatorData'),
    clientDataJson: base64urlOf(json, 'clientDataJson'),
    signature: base64urlOf(json, 'signature'),
  }
}

// A stamp with a key of RSA 4096 has about 1,500 characters; client data and extensions may grow.
const headerForm: StampHeaderForm = {
  lengthMax: 8192,
  mayBeRawJson: true,
  unreadable: webauthnStampUnreadable,
}

function base64urlOf(json: JsonObject, field: string): string {
  const bytes = fromBase64url(stampText(json, field))
  if (bytes === undefined || bytes.length === 0) throw stampMalformed({ why: `${field} must be base64url` })
  return toBase64url(bytes)
}
