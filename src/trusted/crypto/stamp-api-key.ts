import { apiKeyStampUnreadable, stampMalformed } from './stamp-failures.ts'
import { readStampJson, type StampHeaderForm, stampText } from './stamp-json.ts'

export const API_KEY_SCHEMES = [
  'SIGNATURE_SCHEME_TK_API_P256',
  'SIGNATURE_SCHEME_TK_API_SECP256K1',
  'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191',
  'SIGNATURE_SCHEME_TK_API_ED25519',
] as const

export type ApiKeyScheme = (typeof API_KEY_SCHEMES)[number]

export type ApiKeyStamp = {
  readonly kind: 'apiKey'
  readonly scheme: ApiKeyScheme
  /** Lowercase hex without prefix: 32 bytes for Ed25519, 33 (SEC 1 compressed) for the others. */
  readonly publicKey: string
  /** Hex as it was sent: R ‖ S for Ed25519, DER for the others. Verification finds out whether it is well formed. */
  readonly signature: string
}

/**
 * Reads the value of `X-Stamp`: base64url of the JSON object `{ publicKey, scheme, signature }`.
 *
 * @throws  Failure `apiKeyStampUnreadable` when there is no such object, `stampMalformed` when a field of it is wrong
 */
export function readApiKeyStamp(header: string): ApiKeyStamp {
  const json = readStampJson(header, headerForm)
  const publicKey = stampText(json, 'publicKey')
  const schemeName = stampText(json, 'scheme')
  const signature = stampText(json, 'signature')

  const scheme = API_KEY_SCHEMES.find((known) => known === schemeName)
  if (scheme === undefined) throw stampMalformed({ why: 'scheme is not one of those for API keys' })
  const form = scheme === 'SIGNATURE_SCHEME_TK_API_ED25519' ? ED25519_HEX : COMPRESSED_HEX
  if (!form.test(publicKey)) {
    throw stampMalformed({ why: 'publicKey must be the compressed key in hexadecimal, without 0x' })
  }
  if (!SIGNATURE_HEX.test(signature)) throw stampMalformed({ why: 'signature must be hexadecimal' })
  return { kind: 'apiKey', scheme, publicKey: publicKey.toLowerCase(), signature }
}

// The longest stamp that clients send has about 420 characters; the rest allows for keys that later clients may add.
const headerForm: StampHeaderForm = {
  lengthMax: 4096,
  mayBeRawJson: false,
  unreadable: apiKeyStampUnreadable,
}

const ED25519_HEX = /^[0-9a-fA-F]{64}$/
const COMPRESSED_HEX = /^0[23][0-9a-fA-F]{64}$/
// Whole bytes only; verification refuses bytes that are not a signature.
const SIGNATURE_HEX = /^([0-9a-fA-F]{2})+$/
