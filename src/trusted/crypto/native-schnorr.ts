import { hash } from 'node:crypto'
import { asBuffer, concat, equalBytes, utf8 } from '../base/bytes.ts'
import { isScalar, reduced, SECP256K1_ORDER } from './scalar.ts'

/** BIP-340 over 32 bytes, without auxiliary randomness: the 32 bytes of it are zero. */
export type Schnorr = {
  /** @returns  x of R, then s: 64 bytes */
  readonly sign: (digest: Uint8Array, secret: Uint8Array) => Uint8Array
  /** @param publicKey  x of the point, 32 bytes */
  readonly verify: (rs: Uint8Array, digest: Uint8Array, publicKey: Uint8Array) => boolean
}

/**
 * The functions used from libsecp256k1. Those with a secret change it in place; each throws an Error where there is no
 * result.
 */
export type SchnorrLibrary = {
  privateKeyNegate(secret: Uint8Array): Uint8Array
  privateKeyTweakAdd(secret: Uint8Array, scalar: Uint8Array): Uint8Array
  privateKeyTweakMul(secret: Uint8Array, scalar: Uint8Array): Uint8Array
  publicKeyCreate(secret: Uint8Array, compressed: boolean): Uint8Array
  publicKeyTweakAdd(publicKey: Uint8Array, scalar: Uint8Array, compressed: boolean): Uint8Array
  publicKeyTweakMul(publicKey: Uint8Array, scalar: Uint8Array, compressed: boolean): Uint8Array
}

/**
 * BIP-340 made of the library's operations on points and scalars, because the package has libsecp256k1 without its
 * Schnorr module. All arithmetic on secrets is the library's and constant-time, except for the hashes, which are
 * OpenSSL's, and one exclusive or.
 *
 * @see BIP-340, "Default Signing" and "Verification"
 */
export function nativeSchnorr(library: SchnorrLibrary): Schnorr {
  /** A scalar whose point has an even y, and the x of that point. */
  const even = (scalar: Uint8Array): { readonly scalar: Uint8Array; readonly x: Uint8Array } => {
    const point = library.publicKeyCreate(scalar, true)
    if (point[0] !== EVEN_Y) library.privateKeyNegate(scalar)
    return { scalar, x: point.subarray(1) }
  }
  return {
    sign(digest, secret) {
      const key = even(Uint8Array.from(secret))
      const masked = key.scalar.map((byte, at) => byte ^ (AUX_OF_ZEROS[at] ?? 0))
      const nonce = even(Uint8Array.from(scalarOf(tagged(NONCE, masked, key.x, digest))))
      try {
        const challenge = scalarOf(tagged(CHALLENGE, nonce.x, key.x, digest))
        const product = library.privateKeyTweakMul(key.scalar, challenge)
        return concat(nonce.x, library.privateKeyTweakAdd(product, nonce.scalar))
      } finally {
        for (const bytes of [key.scalar, masked, nonce.scalar]) bytes.fill(0)
      }
    },
    verify(rs, digest, publicKey) {
      const [r, s] = [rs.subarray(0, 32), rs.subarray(32)]
      if (!isScalar(s, SECP256K1_ORDER)) return false
      const challenge = Uint8Array.from(scalarOf(tagged(CHALLENGE, r, publicKey, digest)))
      try {
        const point = concat(Uint8Array.of(EVEN_Y), publicKey)
        const minusProduct = library.publicKeyTweakMul(point, library.privateKeyNegate(challenge), true)
        const found = library.publicKeyTweakAdd(minusProduct, s, true)
        return found[0] === EVEN_Y && equalBytes(found.subarray(1), r)
      } catch {
        // The key is not the x of a point, or the sum is the point at infinity: there is no R, so the signature does
        // not verify.
        return false
      }
    },
  }
}

const EVEN_Y = 0x02

/** The hash of the tag precedes the message twice (BIP-340, "Tagged hashes"). */
function tagged(tag: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const all = concat(tag, tag, ...parts)
  const digest = hash('sha256', all, 'buffer')
  // The masked secret is among them: a secret but for an exclusive or with bytes that everybody knows.
  all.fill(0)
  return digest
}

function tagOf(name: string): Uint8Array {
  return hash('sha256', utf8(name), 'buffer')
}

const NONCE = tagOf('BIP0340/nonce')
const CHALLENGE = tagOf('BIP0340/challenge')
const AUX_OF_ZEROS = tagged(tagOf('BIP0340/aux'), new Uint8Array(32))

function scalarOf(digest: Uint8Array): Uint8Array {
  return reduced(asBuffer(digest), SECP256K1_ORDER)
}
