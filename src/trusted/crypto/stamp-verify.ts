import type { KeyObject } from 'node:crypto'
import { present } from '../base/assert.ts'
import { fromBase64url, fromHex } from '../base/bytes.ts'
import { ed25519VerifyKey, verifyEd25519 } from './ed25519.ts'
import { eip191Digest } from './eip191.ts'
import { p256VerifyKey, verifyP256, verifyP256Async } from './p256.ts'
import {
  type Secp256k1VerifyKey,
  secp256k1VerifyKey,
  verifySecp256k1,
  verifySecp256k1Digest,
} from './secp256k1.ts'
import type { CredentialStamp } from './stamp.ts'
import type { ApiKeyScheme } from './stamp-api-key.ts'
import { verifyAssertion } from './webauthn-assertion.ts'
import { type PasskeyVerifyKey, passkeyVerifyKey } from './webauthn-cose.ts'

/**
 * A credential's key, ready to verify. Importing one costs at least as much as a verification, so the caller caches it.
 */
type VerifyKey =
  | { readonly kind: 'p256'; readonly key: KeyObject }
  | { readonly kind: 'secp256k1'; readonly key: Secp256k1VerifyKey }
  | { readonly kind: 'ed25519'; readonly key: KeyObject }
  | { readonly kind: 'passkey'; readonly key: PasskeyVerifyKey }

/**
 * `publicKey` is hex for an API key and COSE_Key in base64url for a passkey, as stored; `key` is `verifyKeyFor` of the
 * two.
 */
export type StampCredential = {
  readonly type: string
  readonly publicKey: string
  readonly key: VerifyKey
}

/**
 * @param credentialType  a `CREDENTIAL_TYPE_` name
 * @param publicKey       hex of either case, or for a passkey base64url of a COSE_Key
 * @returns               undefined when such a credential makes no stamps, or the key is not of that type
 */
export function verifyKeyFor(credentialType: string, publicKey: string): VerifyKey | undefined {
  const kind = keyKindByCredentialType.get(credentialType)
  if (kind === undefined) return undefined
  if (kind === 'p256') return wrapped(kind, p256VerifyKey(publicKey))
  if (kind === 'ed25519') return wrapped(kind, ed25519VerifyKey(publicKey))
  if (kind === 'secp256k1') {
    const key = secp256k1VerifyKey(publicKey)
    return key && { kind, key }
  }
  const coseKey = fromBase64url(publicKey)
  const key = coseKey && passkeyVerifyKey(coseKey)
  return key && { kind, key }
}

/**
 * Whether a stamp is a signature of exactly these bytes by this credential: a result, or a promise where another thread
 * verifies it.
 */
export type StampVerifier = (
  stamp: CredentialStamp,
  body: Uint8Array,
  credential: StampCredential,
  origins?: readonly string[],
) => boolean | Promise<boolean>

/**
 * Whether the stamp is a signature of exactly these bytes by this credential. The scheme must fit the type of the
 * credential, and the key that the stamp names must be the credential's.
 *
 * @param origins  for a passkey: the origins that the organization allows, compared exactly; any when undefined
 */
export function verifyStamp(
  stamp: CredentialStamp,
  body: Uint8Array,
  credential: StampCredential,
  origins?: readonly string[],
): boolean {
  const check = checkOf(stamp, body, credential, origins)
  return typeof check === 'boolean' ? check : verifyP256(check.key, body, check.signature)
}

/** As `verifyStamp`; P-256, the curve of most stamps, is verified on the thread pool. */
export function verifyStampAsync(
  stamp: CredentialStamp,
  body: Uint8Array,
  credential: StampCredential,
  origins?: readonly string[],
): boolean | Promise<boolean> {
  const check = checkOf(stamp, body, credential, origins)
  return typeof check === 'boolean' ? check : verifyP256Async(check.key, body, check.signature)
}

/** All checks of a stamp except the arithmetic of P-256, which the returned check still has to do. */
function checkOf(
  stamp: CredentialStamp,
  body: Uint8Array,
  credential: StampCredential,
  origins: readonly string[] | undefined,
): boolean | { readonly key: KeyObject; readonly signature: Uint8Array } {
  const { key } = credential
  if (keyKindByCredentialType.get(credential.type) !== key.kind) return false
  if (stamp.kind === 'webauthn') {
    if (key.kind !== 'passkey') return false
    const assertion = {
      authenticatorData: sentBytes(fromBase64url(stamp.authenticatorData)),
      clientDataJson: sentBytes(fromBase64url(stamp.clientDataJson)),
      signature: sentBytes(fromBase64url(stamp.signature)),
    }
    return verifyAssertion(assertion, body, key.key, origins)
  }
  if (key.kind !== keyKindByScheme[stamp.scheme]) return false
  if (stamp.publicKey.toLowerCase() !== credential.publicKey.toLowerCase()) return false
  const signature = sentBytes(fromHex(stamp.signature))
  if (key.kind === 'p256') return { key: key.key, signature }
  if (key.kind === 'ed25519') return verifyEd25519(key.key, body, signature)
  if (key.kind === 'passkey') return false
  return stamp.scheme === 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'
    ? verifySecp256k1Digest(key.key, eip191Digest(body), signature)
    : verifySecp256k1(key.key, body, signature)
}

type KeyKind = VerifyKey['kind']

const keyKindByCredentialType: ReadonlyMap<string, KeyKind> = new Map<string, KeyKind>([
  ['CREDENTIAL_TYPE_API_KEY_P256', 'p256'],
  ['CREDENTIAL_TYPE_RECOVER_USER_KEY_P256', 'p256'],
  ['CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256', 'p256'],
  ['CREDENTIAL_TYPE_OTP_AUTH_KEY_P256', 'p256'],
  ['CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256', 'p256'],
  ['CREDENTIAL_TYPE_OAUTH_KEY_P256', 'p256'],
  ['CREDENTIAL_TYPE_LOGIN', 'p256'],
  ['CREDENTIAL_TYPE_API_KEY_SECP256K1', 'secp256k1'],
  ['CREDENTIAL_TYPE_API_KEY_ED25519', 'ed25519'],
  ['CREDENTIAL_TYPE_RECOVERY_SET_KEY_P256', 'p256'],
  ['CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR', 'passkey'],
])

const keyKindByScheme: Readonly<Record<ApiKeyScheme, KeyKind>> = {
  SIGNATURE_SCHEME_TK_API_P256: 'p256',
  SIGNATURE_SCHEME_TK_API_SECP256K1: 'secp256k1',
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: 'secp256k1',
  SIGNATURE_SCHEME_TK_API_ED25519: 'ed25519',
}

function wrapped(kind: 'p256' | 'ed25519', key: KeyObject | undefined): VerifyKey | undefined {
  return key && { kind, key }
}

/** `requireOneStamp` read the stamp, and accepts only decodable texts. */
function sentBytes(bytes: Uint8Array | undefined): Uint8Array {
  return present(bytes, 'bytes of a stamp that was read')
}
