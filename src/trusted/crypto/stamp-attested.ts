import { hash } from 'node:crypto'
import { fromHex, toHex, utf8 } from '../base/bytes.ts'
import { p256VerifyKey, verifyP256Async } from './p256.ts'
import { attestedStampUnreadable, stampMalformed } from './stamp-failures.ts'
import { readStampJson, type StampHeaderForm, stampText } from './stamp-json.ts'

const ATTESTED_SCHEMES = [
  'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN',
  'STAMP_ATTESTED_SCHEME_P256_OIDC',
] as const

type AttestedScheme = (typeof ATTESTED_SCHEMES)[number]

export type AttestedStamp = {
  readonly kind: 'attested'
  readonly scheme: AttestedScheme
  /** The token as it was sent; whether it is valid and bound to the key is checked elsewhere. */
  readonly publicKeyAttestation: string
  /** Compressed hex as it was sent, of either case: an identity token is bound to the hash of exactly this text. */
  readonly publicKey: string
  /** Hex of DER, as it was sent. */
  readonly signature: string
}

/**
 * Reads the value of `X-Stamp-Attested`: base64url of the JSON object `{ publicKeyAttestation, scheme, publicKey,
 * signature }`, as clients send it, or the object as text, as the interface describes it.
 *
 * @throws  Failure `attestedStampUnreadable` when there is no such object, `stampMalformed` when a field of it is wrong
 */
export function readAttestedStamp(header: string): AttestedStamp {
  const json = readStampJson(header, headerForm)
  const publicKeyAttestation = stampText(json, 'publicKeyAttestation')
  const schemeName = stampText(json, 'scheme')
  const publicKey = stampText(json, 'publicKey')
  const signature = stampText(json, 'signature')

  const scheme = ATTESTED_SCHEMES.find((known) => known === schemeName)
  if (scheme === undefined) throw stampMalformed({ why: 'scheme is not one of those for attested keys' })
  if (!COMPRESSED_HEX.test(publicKey)) {
    throw stampMalformed({ why: 'publicKey must be the compressed key in hexadecimal, without 0x' })
  }
  if (!SIGNATURE_HEX.test(signature)) throw stampMalformed({ why: 'signature must be hexadecimal' })
  return { kind: 'attested', scheme, publicKeyAttestation, publicKey, signature }
}

/**
 * Whether the stamp is a signature of exactly these bytes by the key that it names. The caller checks whether the token
 * is bound to that key.
 */
export async function verifyAttestedSignature(stamp: AttestedStamp, body: Uint8Array): Promise<boolean> {
  const key = p256VerifyKey(stamp.publicKey)
  const signature = fromHex(stamp.signature)
  return key !== undefined && signature !== undefined && (await verifyP256Async(key, body, signature))
}

/** The required nonce of an identity token: hex of SHA-256 of the text of the key as it was sent, not of its bytes. */
export function oidcNonceFor(publicKeyText: string): string {
  return toHex(hash('sha256', utf8(publicKeyText), 'buffer'))
}

// The limit of Node for all headers of a request; an identity token may have several thousand characters.
const headerForm: StampHeaderForm = {
  lengthMax: 16_384,
  mayBeRawJson: true,
  unreadable: attestedStampUnreadable,
}

const COMPRESSED_HEX = /^0[23][0-9a-fA-F]{64}$/
const SIGNATURE_HEX = /^([0-9a-fA-F]{2})+$/
