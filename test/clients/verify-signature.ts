import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'

export type Curve = 'CURVE_SECP256K1' | 'CURVE_P256' | 'CURVE_ED25519'

/** `r` and `s` are 64 hex digits; `v` is `00` or `01`. */
type Signature = { readonly r: string; readonly s: string; readonly v: string }

/**
 * Whether a signature is what the interface promises, judged by a library the service does not sign with: valid, with
 * low s, in 64 digits each, and with the `v` that recovers the key on the two curves that have one.
 *
 * @param publicKey  hex, compressed
 * @param signed     the digest of 32 bytes, or with Ed25519 the message
 */
export function isGoodSignature(
  curve: Curve,
  { publicKey, signed, signature }: { publicKey: string; signed: Uint8Array; signature: Signature },
): boolean {
  const { r, s, v } = signature
  if (!/^[0-9a-f]{64}$/.test(r) || !/^[0-9a-f]{64}$/.test(s) || !/^0[01]$/.test(v)) return false
  const compact = Buffer.from(r + s, 'hex')
  const key = Buffer.from(publicKey, 'hex')
  if (curve === 'CURVE_ED25519') return ed25519.verify(compact, signed, key)
  const library = curve === 'CURVE_P256' ? p256 : secp256k1
  if (!library.verify(compact, signed, key, { prehash: false, lowS: true })) return false
  const recovered = library.Signature.fromBytes(compact, 'compact')
    .addRecoveryBit(Number.parseInt(v, 16))
    .recoverPublicKey(signed)
  return recovered.toHex(true) === publicKey
}
