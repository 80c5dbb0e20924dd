import { createRequire } from 'node:module'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { assert } from '../base/assert.ts'
import { asBuffer } from '../base/bytes.ts'
import { nativeSchnorr, type Schnorr, type SchnorrLibrary } from './native-schnorr.ts'
import { SECP256K1_ORDER } from './scalar.ts'

export type Secp256k1BackendName = 'native' | 'noble'

/**
 * The arithmetic of secp256k1. There are two backends, and both give the same bytes for the same input. Public keys are
 * SEC 1 bytes of 33 (02, 03) or 65 (04); signatures are r ‖ s with both in 1..n-1, high s allowed when verifying.
 */
export type Secp256k1Backend = {
  readonly isPublicKey: (publicKey: Uint8Array) => boolean
  readonly convertPublicKey: (publicKey: Uint8Array, compressed: boolean) => Uint8Array
  readonly publicKeyOf: (secret: Uint8Array, compressed: boolean) => Uint8Array
  /** The secret of the opposite point, in bytes of its own, which the caller wipes. */
  readonly negated: (secret: Uint8Array) => Uint8Array
  /** The key plus scalar·G, 33 bytes; the scalar is 1 to n-1, and the sum is not the point at infinity. */
  readonly plus: (publicKey: Uint8Array, scalar: Uint8Array) => Uint8Array
  /** RFC 6979 with SHA-256 and no extra input; low s. */
  readonly sign: (
    digest: Uint8Array,
    secret: Uint8Array,
  ) => { readonly rs: Uint8Array; readonly recovery: number }
  readonly verify: (rs: Uint8Array, digest: Uint8Array, publicKey: Uint8Array) => boolean
  /** The one key, 33 bytes, under which this signature with this recovery bit verifies (SEC 1, section 4.1.6). */
  readonly recover: (rs: Uint8Array, recovery: number, digest: Uint8Array) => Uint8Array
  readonly schnorr: Schnorr
}

export const nobleBackend: Secp256k1Backend = {
  isPublicKey: (publicKey) => secp256k1.utils.isValidPublicKey(publicKey),
  convertPublicKey: (publicKey, compressed) => secp256k1.Point.fromBytes(publicKey).toBytes(compressed),
  publicKeyOf: (secret, compressed) => secp256k1.getPublicKey(secret, compressed),
  negated: (secret) => {
    const { Fn } = secp256k1.Point
    return Fn.toBytes(Fn.neg(Fn.fromBytes(secret)))
  },
  plus: (publicKey, scalar) =>
    secp256k1.Point.fromBytes(publicKey)
      .add(secp256k1.Point.BASE.multiply(secp256k1.Point.Fn.fromBytes(scalar)))
      .toBytes(true),
  sign(digest, secret) {
    const signed = secp256k1.sign(digest, secret, { prehash: false, lowS: true, format: 'recovered' })
    return { rs: signed.slice(1), recovery: signed[0] ?? 0 }
  },
  verify: (rs, digest, publicKey) =>
    secp256k1.verify(rs, digest, publicKey, { prehash: false, lowS: false, format: 'compact' }),
  recover: (rs, recovery, digest) =>
    secp256k1.recoverPublicKey(Uint8Array.of(recovery, ...rs), digest, { prehash: false }),
  schnorr: {
    sign: (digest, secret) => schnorr.sign(digest, secret, new Uint8Array(32)),
    verify: (rs, digest, publicKey) => schnorr.verify(rs, digest, publicKey),
  },
}

/** libsecp256k1 where the machine has its binary; undefined elsewhere. noble does the same 30 times slower. */
export const nativeBackend: Secp256k1Backend | undefined = loadNative()

function loadNative(): Secp256k1Backend | undefined {
  const library = requireNative()
  if (library === undefined) return undefined
  return {
    isPublicKey: (publicKey) => library.publicKeyVerify(publicKey),
    convertPublicKey: (publicKey, compressed) => library.publicKeyConvert(publicKey, compressed),
    publicKeyOf: (secret, compressed) => library.publicKeyCreate(secret, compressed),
    negated: (secret) => library.privateKeyNegate(Uint8Array.from(secret)),
    plus: (publicKey, scalar) => library.publicKeyTweakAdd(publicKey, scalar, true),
    sign(digest, secret) {
      const { signature, recid } = library.ecdsaSign(belowOrder(digest), secret)
      return { rs: signature, recovery: recid }
    },
    verify(rs, digest, publicKey) {
      // libsecp256k1 refuses high s when verifying; the way to accept it is to normalise first, which works in place.
      const low = library.signatureNormalize(Uint8Array.from(rs))
      return library.ecdsaVerify(low, digest, publicKey)
    },
    recover: (rs, recovery, digest) => library.ecdsaRecover(rs, recovery, belowOrder(digest), true),
    schnorr: nativeSchnorr(library),
  }
}

/** The functions used from the `secp256k1` package; each throws an Error for input that it cannot parse. */
type NativeLibrary = SchnorrLibrary & {
  publicKeyVerify(publicKey: Uint8Array): boolean
  publicKeyConvert(publicKey: Uint8Array, compressed: boolean): Uint8Array
  ecdsaSign(digest: Uint8Array, secret: Uint8Array): { signature: Uint8Array; recid: number }
  ecdsaVerify(rs: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean
  ecdsaRecover(rs: Uint8Array, recid: number, digest: Uint8Array, compressed: boolean): Uint8Array
  signatureNormalize(rs: Uint8Array): Uint8Array
}

/** `secp256k1/bindings`, because `secp256k1` falls back to a JavaScript library with a history of faults. */
function requireNative(): NativeLibrary | undefined {
  try {
    // The shape is that of the package's lib/index.js, and secp256k1.test.ts calls every function of it.
    return createRequire(import.meta.url)('secp256k1/bindings') as NativeLibrary
  } catch {
    // A machine without a binary (or with none that loads) is supported, and the start-up line names the backend.
    return undefined
  }
}

/**
 * RFC 6979, section 2.3.4, reduces the digest before it enters the nonce; libsecp256k1 does not. The results differ
 * only for a digest of the order or more, which a caller can send who signs without hashing.
 */
function belowOrder(digest: Uint8Array): Uint8Array {
  assert(digest.length === 32, 'a digest is 32 bytes')
  if (asBuffer(digest).compare(SECP256K1_ORDER) < 0) return digest
  const reduced = BigInt(`0x${asBuffer(digest).toString('hex')}`) - secp256k1.Point.Fn.ORDER
  return secp256k1.Point.Fn.toBytes(reduced)
}
