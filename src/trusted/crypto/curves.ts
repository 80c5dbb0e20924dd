import type { Curve } from './curve.ts'
import {
  ed25519PublicKeyOf,
  ed25519Signer,
  generateEd25519Seed,
  isEd25519Seed,
  readEd25519Key,
} from './ed25519.ts'
import { generateP256Secret, isP256Secret, p256PublicKeyOf, p256Signer, readP256Key } from './p256.ts'
import {
  generateSecp256k1Secret,
  isSecp256k1Secret,
  readSecp256k1Key,
  secp256k1PublicKeyOf,
  secp256k1Signer,
} from './secp256k1.ts'
import type { Signer } from './signature.ts'

/**
 * The operations with a caller's key, the same for each curve. A secret is 32 bytes: a scalar, big-endian, or an
 * Ed25519 seed. A public key is lowercase hex: 33 bytes compressed, or 32 for Ed25519.
 */
type CurveOperations = {
  readonly isSecret: (bytes: Uint8Array) => boolean
  readonly generate: (randomBytes: (length: number) => Uint8Array) => Uint8Array
  readonly publicKeyOf: (secret: Uint8Array) => string
  /** From hex of either case, compressed or not; undefined when it is not a point of the curve. */
  readonly readPublicKey: (hex: string) => string | undefined
  /** A given `publicKey` saves its derivation. Every signature is verified under it before it is returned. */
  readonly signer: (secret: Uint8Array, publicKey?: string) => Signer
}

export const curves: Readonly<Record<Curve, CurveOperations>> = {
  CURVE_SECP256K1: {
    isSecret: isSecp256k1Secret,
    generate: generateSecp256k1Secret,
    publicKeyOf: secp256k1PublicKeyOf,
    readPublicKey: (hex) => readSecp256k1Key(hex)?.compressed,
    signer: secp256k1Signer,
  },
  CURVE_P256: {
    isSecret: isP256Secret,
    generate: generateP256Secret,
    publicKeyOf: p256PublicKeyOf,
    readPublicKey: (hex) => readP256Key(hex)?.compressed,
    signer: p256Signer,
  },
  CURVE_ED25519: {
    isSecret: isEd25519Seed,
    generate: generateEd25519Seed,
    publicKeyOf: ed25519PublicKeyOf,
    readPublicKey: readEd25519Key,
    signer: ed25519Signer,
  },
}
