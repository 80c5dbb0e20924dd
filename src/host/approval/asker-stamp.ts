import { fromHex, toBase64url, utf8 } from '../../trusted/base/bytes.ts'
import { type ApiKeyScheme, type ApiKeyStamp, readApiKeyStamp } from '../../trusted/crypto/stamp-api-key.ts'
import { isP256 } from './p256-signature.ts'
import type { ShownStamp, StampCheck } from './stamp-check.ts'

export async function checkStamp(stamp: ShownStamp, request: Uint8Array): Promise<StampCheck> {
  const rare = Object.hasOwn(RARE, stamp.scheme) ? await RARE[stamp.scheme]?.() : undefined
  const passkey = stamp.scheme === PASSKEY ? await import('./passkey-stamp.ts') : undefined
  try {
    if (passkey !== undefined) return await passkey.checkPasskey(stamp, request)
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

const PASSKEY = 'SIGNATURE_SCHEME_TK_WEBAUTHN'

type Verify = (key: Uint8Array, request: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>

/** All schemes except that of P-256. */
const RARE: { readonly [scheme: string]: () => Promise<Verify> } = {
  SIGNATURE_SCHEME_TK_API_SECP256K1: async () => (await import('./rare-secp256k1.ts')).isSecp256k1,
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: async () => (await import('./rare-secp256k1.ts')).isEip191,
  SIGNATURE_SCHEME_TK_API_ED25519: async () => (await import('./rare-ed25519.ts')).isEd25519,
} satisfies { [scheme in Exclude<ApiKeyScheme, 'SIGNATURE_SCHEME_TK_API_P256'>]: () => Promise<Verify> }
