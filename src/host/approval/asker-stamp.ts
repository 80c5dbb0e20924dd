import { sha256 } from '@noble/hashes/sha2.js'
import { concat, fromBase64url, fromHex, toBase64url, toHex, utf8 } from '../../trusted/base/bytes.ts'
import { readDer } from '../../trusted/crypto/der.ts'
import { P256_ORDER } from '../../trusted/crypto/scalar.ts'
import { type ApiKeyScheme, type ApiKeyStamp, readApiKeyStamp } from '../../trusted/crypto/stamp-api-key.ts'
import { readWebauthnStamp } from '../../trusted/crypto/stamp-webauthn.ts'
import { readIntegerMap } from '../../trusted/crypto/webauthn-cbor.ts'
import { normalChallenge, readClientData } from '../../trusted/crypto/webauthn-client-data.ts'
import { isConsent } from '../../trusted/crypto/webauthn-consent.ts'
import { wholeP256Point } from './p256-point.ts'

/** The stamp of a vote, as the host shows it. */
export type ShownStamp = { readonly publicKey: string; readonly signature: string; readonly scheme: string }

/**
 * Whether a stamp is over the bytes. It proves that a key signed them; the owner of the key is only the host's word.
 */
export type StampCheck =
  | { readonly kind: 'verified'; readonly key: string }
  | { readonly kind: 'wrong' }
  /** A passkey with RSA, or a token: these cannot be verified here. */
  | { readonly kind: 'unknown' }

export async function checkStamp(stamp: ShownStamp, request: Uint8Array): Promise<StampCheck> {
  const rare = Object.hasOwn(RARE, stamp.scheme) ? await RARE[stamp.scheme]?.() : undefined
  try {
    if (stamp.scheme === 'SIGNATURE_SCHEME_TK_WEBAUTHN') return await checkPasskey(stamp, request)
    if (!stamp.scheme.startsWith('SIGNATURE_SCHEME_TK_API_')) return { kind: 'unknown' }
    const read = readApiKeyStamp(toBase64url(utf8(JSON.stringify(stamp))))
    return (await isOver(read, request, rare))
      ? { kind: 'verified', key: `API key ${read.publicKey}` }
      : { kind: 'wrong' }
  } catch (error) {
    // The readers of stamps refuse with failures, and the curves throw at invalid points.
    if (error instanceof Error) return { kind: 'wrong' }
    throw error
  }
}

async function isOver(
  { scheme, publicKey, signature }: ApiKeyStamp,
  request: Uint8Array,
  rare: Verify | undefined,
): Promise<boolean> {
  const [key, sent] = [fromHex(publicKey), fromHex(signature)]
  if (key === undefined || sent === undefined) return false
  if (scheme === 'SIGNATURE_SCHEME_TK_API_P256') return await isP256(key, request, sent)
  return (await rare?.(key, request, sent)) === true
}

type Verify = (key: Uint8Array, request: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>

/** All schemes except that of P-256. */
const RARE: { readonly [scheme: string]: () => Promise<Verify> } = {
  SIGNATURE_SCHEME_TK_API_SECP256K1: async () => (await import('./rare-secp256k1.ts')).isSecp256k1,
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: async () => (await import('./rare-secp256k1.ts')).isEip191,
  SIGNATURE_SCHEME_TK_API_ED25519: async () => (await import('./rare-ed25519.ts')).isEd25519,
} satisfies { [scheme in Exclude<ApiKeyScheme, 'SIGNATURE_SCHEME_TK_API_P256'>]: () => Promise<Verify> }

/** Over the SHA-256 of the signed bytes, on the curve that every browser and Node have. */
async function isP256(point: Uint8Array, signed: Uint8Array, der: Uint8Array): Promise<boolean> {
  const [rs, whole] = [readDer(der, P256_ORDER), wholeP256Point(point)]
  if (rs === undefined || whole === undefined) return false
  // WebCrypto refuses a point that is not on the curve.
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(whole), P256, false, ['verify'])
  return await crypto.subtle.verify(P256, key, Uint8Array.from(rs), Uint8Array.from(signed))
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Like the vault's check of an assertion, but without its origin, which depends on the organization. */
async function checkPasskey({ publicKey, signature }: ShownStamp, request: Uint8Array): Promise<StampCheck> {
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
  const signed = concat(authenticatorData, sha256(clientDataJson))
  return isConsent(authenticatorData) && isForRequest && (await isP256(point, signed, der))
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
