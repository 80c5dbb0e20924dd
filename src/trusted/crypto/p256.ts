import { p256 } from '@noble/curves/nist.js'
import { createPublicKey, ECDH, hash, type KeyObject, verify } from 'node:crypto'
import { assert, present } from '../base/assert.ts'
import { fromHex, toHex } from '../base/bytes.ts'
import { readDer, writeDer } from './der.ts'
import { signedAndChecked } from './ecdsa-check.ts'
import { p256MultipleOfG } from './p256-multiple.ts'
import { signP256Digest } from './p256-sign.ts'
import { isScalar, P256_ORDER, randomScalar } from './scalar.ts'
import { type EcPublicKey, type Signer } from './signature.ts'

/** Reads SEC 1 hex of either case, 33 bytes (02, 03) or 65 (04); undefined when it is not a point of the curve. */
export function readP256Key(hex: string): EcPublicKey | undefined {
  if (!SEC1_HEX.test(hex)) return undefined
  const uncompressed = uncompress(hex)
  if (uncompressed === undefined) return undefined
  return { compressed: toHex(compress(uncompressed)), uncompressed: toHex(uncompressed) }
}

// The pattern also keeps out the hybrid form (06, 07), which OpenSSL would read, and the single byte of infinity.
const SEC1_HEX = /^(0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$/

function uncompress(hex: string): Buffer | undefined {
  try {
    // No encoding is asked for, so what comes back is a Buffer and not a text.
    return ECDH.convertKey(hex, 'prime256v1', 'hex', undefined, 'uncompressed') as Buffer
  } catch {
    // OpenSSL throws this for every point that is not on the curve, and for nothing else that passes the pattern.
    return undefined
  }
}

function compress(uncompressed: Uint8Array): Uint8Array {
  const isOdd = ((uncompressed[64] ?? 0) & 1) === 1
  return Uint8Array.of(isOdd ? 3 : 2, ...uncompressed.subarray(1, 33))
}

export function isP256Secret(bytes: Uint8Array): boolean {
  return isScalar(bytes, P256_ORDER)
}

export function generateP256Secret(randomBytes: (length: number) => Uint8Array): Uint8Array {
  return randomScalar(P256_ORDER, randomBytes)
}

/** @returns  hex of the 33 bytes compressed form */
export function p256PublicKeyOf(secret: Uint8Array): string {
  assert(isP256Secret(secret), 'a P-256 secret is 32 bytes in 1..n-1')
  return toHex(p256MultipleOfG(secret))
}

/** @returns  65 bytes, 04 ‖ X ‖ Y */
export function p256UncompressedKeyOf(secret: Uint8Array): Uint8Array {
  assert(isP256Secret(secret), 'a P-256 secret is 32 bytes in 1..n-1')
  return p256MultipleOfG(secret, 'uncompressed')
}

/**
 * @param secret     32 bytes in 1..n-1; kept by reference, so the caller wipes it after the last signature
 * @param publicKey  the key under which signatures must verify, compressed hex; derived when absent
 */
export function p256Signer(secret: Uint8Array, publicKey?: string): Signer {
  assert(isP256Secret(secret), 'a P-256 secret is 32 bytes in 1..n-1')
  const key =
    publicKey === undefined
      ? p256MultipleOfG(secret)
      : present(fromHex(publicKey), 'a P-256 public key in hex')
  const signAll = (digests: readonly Uint8Array[]) =>
    signedAndChecked(curve, { secret, publicKey: key }, digests, signP256Digest)
  return {
    publicKey: publicKey ?? toHex(key),
    sign: (digest) => present(signAll([digest])[0], 'a signature for the digest'),
    signAll,
  }
}

// OpenSSL's own verification hashes first, so it does not take a digest.
const curve = { Fn: p256.Point.Fn, multipleOfG: (scalar: Uint8Array) => p256MultipleOfG(scalar) }

/** ECDSA over SHA-256 of the message, RFC 6979, low s, verified; canonical DER. */
export function signP256Message(signer: Signer, message: Uint8Array): Uint8Array {
  const { r, s } = signer.sign(hash('sha256', message, 'buffer'))
  return writeDer(present(fromHex(r + s), 'a signature in hex'))
}

/**
 * A key that is ready to verify; importing costs as much as verifying, so the caller keeps it.
 *
 * @returns  undefined when the hex is not a point of the curve
 */
export function p256VerifyKey(publicKeyHex: string): KeyObject | undefined {
  if (!SEC1_HEX.test(publicKeyHex)) return undefined
  const head = publicKeyHex.length === 66 ? SPKI_HEAD_COMPRESSED : SPKI_HEAD_UNCOMPRESSED
  try {
    // As a string: for bytes, Node 24 throws and catches an internal error to learn that they are not a key object.
    return createPublicKey({ key: head + publicKeyHex, encoding: 'hex', format: 'der', type: 'spki' })
  } catch {
    // OpenSSL throws this for every point that is not on the curve, and for nothing else that passes the pattern.
    return undefined
  }
}

/**
 * The bytes before the point in a SubjectPublicKeyInfo on P-256 (RFC 5480), in hex. This form is the fastest to import.
 */
const SPKI_HEAD_COMPRESSED = '3039301306072a8648ce3d020106082a8648ce3d030107032200'
const SPKI_HEAD_UNCOMPRESSED = '3059301306072a8648ce3d020106082a8648ce3d030107034200'

/** Verifies an ECDSA signature over SHA-256 of the message. DER as `readDer` has it; high s is accepted. */
export function verifyP256(key: KeyObject, message: Uint8Array, derSignature: Uint8Array): boolean {
  const rs = readDer(derSignature, P256_ORDER)
  // OpenSSL reads DER only in its canonical form, and reads it faster than P1363.
  return rs !== undefined && verify('sha256', message, key, writeDer(rs))
}

/**
 * As `verifyP256`, on libuv's thread pool: the calling thread is free meanwhile, which is worth it where that thread is
 * the bottleneck.
 */
export function verifyP256Async(
  key: KeyObject,
  message: Uint8Array,
  derSignature: Uint8Array,
): Promise<boolean> {
  const rs = readDer(derSignature, P256_ORDER)
  return rs === undefined ? Promise.resolve(false) : verifyAside(key, message, rs)
}

/** As `verifyP256Async`, for a signature of 64 bytes r ‖ s (IEEE P1363). */
export function verifyP256P1363Async(key: KeyObject, message: Uint8Array, rs: Uint8Array): Promise<boolean> {
  return rs.length === 64 ? verifyAside(key, message, rs) : Promise.resolve(false)
}

/** Whether one of these few keys has signed the message. */
export async function verifyP256P1363ByOneOf(
  keys: readonly KeyObject[],
  message: Uint8Array,
  rs: Uint8Array,
): Promise<boolean> {
  for (const key of keys) if (await verifyP256P1363Async(key, message, rs)) return true
  return false
}

function verifyAside(key: KeyObject, message: Uint8Array, rs: Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify('sha256', message, key, writeDer(rs), (error, holds) => {
      if (error === null) resolve(holds)
      else reject(error)
    })
  })
}
