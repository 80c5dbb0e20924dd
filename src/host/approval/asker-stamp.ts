import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concat, fromBase64url, fromHex, toBase64url, toHex, utf8 } from '../../trusted/base/bytes.ts'
import { Failure } from '../../trusted/base/failure.ts'
import { readDer } from '../../trusted/crypto/der.ts'
import { eip191Digest } from '../../trusted/crypto/eip191.ts'
import { P256_ORDER, SECP256K1_ORDER } from '../../trusted/crypto/scalar.ts'
import { type ApiKeyStamp, readApiKeyStamp } from '../../trusted/crypto/stamp-api-key.ts'
import { readWebauthnStamp } from '../../trusted/crypto/stamp-webauthn.ts'
import { readIntegerMap } from '../../trusted/crypto/webauthn-cbor.ts'
import { normalChallenge, readClientData } from '../../trusted/crypto/webauthn-client-data.ts'
import { isConsent } from '../../trusted/crypto/webauthn-consent.ts'

/** The stamp of a vote, as the host shows it. */
export type ShownStamp = { readonly publicKey: string; readonly signature: string; readonly scheme: string }

/** Whether a stamp is over the bytes. It proves that a key signed them; whose key it is, only the host says. */
export type StampCheck =
  | { readonly kind: 'verified'; readonly key: string }
  | { readonly kind: 'wrong' }
  /** A passkey with RSA, or a token: it cannot be verified here. */
  | { readonly kind: 'unknown' }

export function checkStamp(stamp: ShownStamp, request: Uint8Array): StampCheck {
  try {
    if (stamp.scheme === 'SIGNATURE_SCHEME_TK_WEBAUTHN') return checkPasskey(stamp, request)
    if (!stamp.scheme.startsWith('SIGNATURE_SCHEME_TK_API_')) return { kind: 'unknown' }
    const read = readApiKeyStamp(toBase64url(utf8(JSON.stringify(stamp))))
    return isOver(read, request) ? { kind: 'verified', key: `API key ${read.publicKey}` } : { kind: 'wrong' }
  } catch (error) {
    // The readers of stamps refuse with failures, and the curves throw at points that are none.
    if (error instanceof Failure || error instanceof Error) return { kind: 'wrong' }
    throw error
  }
}

function isOver({ scheme, publicKey, signature }: ApiKeyStamp, request: Uint8Array): boolean {
  const [key, sent] = [fromHex(publicKey), fromHex(signature)]
  if (key === undefined || sent === undefined) return false
  switch (scheme) {
    case 'SIGNATURE_SCHEME_TK_API_P256':
      return isP256(key, sha256(request), sent)
    case 'SIGNATURE_SCHEME_TK_API_SECP256K1':
      return isSecp256k1(key, sha256(request), sent)
    case 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191':
      return isSecp256k1(key, eip191Digest(request), sent)
    case 'SIGNATURE_SCHEME_TK_API_ED25519':
      return sent.length === 64 && ed25519.verify(sent, request, key, { zip215: false })
  }
}

function isP256(key: Uint8Array, digest: Uint8Array, der: Uint8Array): boolean {
  const rs = readDer(der, P256_ORDER)
  return rs !== undefined && p256.verify(rs, digest, key, { prehash: false, lowS: false })
}

function isSecp256k1(key: Uint8Array, digest: Uint8Array, der: Uint8Array): boolean {
  const rs = readDer(der, SECP256K1_ORDER)
  return rs !== undefined && secp256k1.verify(rs, digest, key, { prehash: false, lowS: false })
}

/** As the vault verifies an assertion, without its origin, which the organization decides on. */
function checkPasskey({ publicKey, signature }: ShownStamp, request: Uint8Array): StampCheck {
  const stamp = readWebauthnStamp(signature)
  const [authenticatorData, clientDataJson, der, cose] = [
    stamp.authenticatorData,
    stamp.clientDataJson,
    stamp.signature,
    publicKey,
  ].map(fromBase64url)
  if (!authenticatorData || !clientDataJson || !der || !cose) return { kind: 'wrong' }
  const point = p256Point(cose)
  if (point === undefined) return { kind: 'unknown' }
  const clientData = readClientData(clientDataJson)
  const isForRequest =
    clientData?.type === 'webauthn.get' &&
    normalChallenge(clientData.challenge) === toBase64url(utf8(toHex(sha256(request))))
  const signed = sha256(concat(authenticatorData, sha256(clientDataJson)))
  return isConsent(authenticatorData) && isForRequest && isP256(point, signed, der)
    ? { kind: 'verified', key: `passkey ${stamp.credentialId}` }
    : { kind: 'wrong' }
}

/** Undefined for a key of another kind. Labels are those of the IANA COSE registries. */
function p256Point(cose: Uint8Array): Uint8Array | undefined {
  const parameters = readIntegerMap(cose)
  const [x, y] = [parameters?.get(-2), parameters?.get(-3)]
  const isEs256 = parameters?.get(1) === 2 && parameters.get(3) === -7 && parameters.get(-1) === 1
  if (!isEs256 || !(x instanceof Uint8Array && y instanceof Uint8Array)) return undefined
  return concat(Uint8Array.of(4), x, y)
}
