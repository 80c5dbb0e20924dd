import { p256 } from '@noble/curves/nist.js'
import { assert, present } from '../base/assert.ts'
import { fromHex, toHex } from '../base/bytes.ts'
import type { Curve } from '../crypto/curve.ts'
import { nativeBackend, nobleBackend } from '../crypto/secp256k1-backend.ts'

type EcdsaCurve = Exclude<Curve, 'CURVE_ED25519'>

/**
 * The form of a key that the address functions take: 33 bytes, SEC 1 compressed, for secp256k1 and P-256; the 32 bytes
 * themselves for Ed25519. The keys are our own, so an invalid point is a bug and throws as such.
 */
export function readPublicKey(curve: Curve, publicKeyHex: string): Uint8Array {
  const bytes = present(fromHex(publicKeyHex), 'a public key is hexadecimal')
  if (curve !== 'CURVE_ED25519') return converted[curve](bytes, true)
  assert(bytes.length === 32, 'an Ed25519 public key has 32 bytes')
  return bytes
}

/** 65 bytes: 04 ‖ X ‖ Y (SEC 1 v2, section 2.3.3). */
export function uncompressed(curve: EcdsaCurve, publicKey: Uint8Array): Uint8Array {
  return converted[curve](publicKey, false)
}

export function uncompressedHex(curve: EcdsaCurve): (publicKey: Uint8Array) => string {
  return (publicKey) => toHex(uncompressed(curve, publicKey))
}

export function compressedHex(publicKey: Uint8Array): string {
  return toHex(publicKey)
}

/** Both throw for bytes that are not a point. */
const converted: Readonly<Record<EcdsaCurve, (point: Uint8Array, compressed: boolean) => Uint8Array>> = {
  CURVE_SECP256K1: (nativeBackend ?? nobleBackend).convertPublicKey,
  CURVE_P256: (point, compressed) => p256.Point.fromBytes(point).toBytes(compressed),
}
