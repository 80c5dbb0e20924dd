import { hash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { assert, present } from '../base/assert.ts'
import { equalBytes, fromHex, toHex } from '../base/bytes.ts'
import { readDer } from './der.ts'
import { signedAndChecked } from './ecdsa-check.ts'
import { isScalar, randomScalar, SECP256K1_ORDER } from './scalar.ts'
import {
  nativeBackend,
  nobleBackend,
  type Secp256k1Backend,
  type Secp256k1BackendName,
} from './secp256k1-backend.ts'
import { ecdsaSignature, type EcPublicKey, type ResourceSignature, type Signer } from './signature.ts'

/** The backend in use, for the start-up line. */
export const secp256k1Backend: Secp256k1BackendName = nativeBackend === undefined ? 'noble' : 'native'

const backend: Secp256k1Backend = nativeBackend ?? nobleBackend

/** Reads SEC 1 hex of either case, 33 bytes (02, 03) or 65 (04); undefined when it is not a point of the curve. */
export function readSecp256k1Key(hex: string): EcPublicKey | undefined {
  if (!SEC1_HEX.test(hex)) return undefined
  const bytes = fromHex(hex)
  if (bytes === undefined || !backend.isPublicKey(bytes)) return undefined
  return {
    compressed: toHex(backend.convertPublicKey(bytes, true)),
    uncompressed: toHex(backend.convertPublicKey(bytes, false)),
  }
}

// The pattern also keeps out the hybrid form (06, 07), which libsecp256k1 would read, and the single byte of infinity.
const SEC1_HEX = /^(0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$/

export function isSecp256k1Secret(bytes: Uint8Array): boolean {
  return isScalar(bytes, SECP256K1_ORDER)
}

export function generateSecp256k1Secret(randomBytes: (length: number) => Uint8Array): Uint8Array {
  return randomScalar(SECP256K1_ORDER, randomBytes)
}

/** @returns  hex of the 33 bytes compressed form */
export function secp256k1PublicKeyOf(secret: Uint8Array): string {
  assert(isSecp256k1Secret(secret), 'a secp256k1 secret is 32 bytes in 1..n-1')
  return toHex(backend.publicKeyOf(secret, true))
}

/**
 * @param secret     32 bytes in 1..n-1; kept by reference, so the caller wipes it after the last signature
 * @param publicKey  the key under which signatures must verify, hex; derived when absent (20 us)
 */
export function secp256k1Signer(secret: Uint8Array, publicKey?: string): Signer {
  return signWith(secp256k1Backend)(secret, publicKey)
}

/** As `secp256k1Signer`, with a chosen backend, so that a test can compare the two byte for byte. */
export function signWith(name: Secp256k1BackendName): (secret: Uint8Array, publicKey?: string) => Signer {
  const chosen = name === 'noble' ? nobleBackend : present(nativeBackend, 'native secp256k1')
  return (secret, publicKey) => {
    assert(isSecp256k1Secret(secret), 'a secp256k1 secret is 32 bytes in 1..n-1')
    const point =
      publicKey === undefined
        ? chosen.publicKeyOf(secret, true)
        : present(fromHex(publicKey), 'a secp256k1 public key in hex')
    const curve = {
      Fn: secp256k1.Point.Fn,
      multipleOfG: (scalar: Uint8Array) => chosen.publicKeyOf(scalar, true),
    }
    const sign = (digest: Uint8Array) => signChecked(chosen, secret, point, digest)
    return {
      publicKey: publicKey ?? toHex(point),
      sign,
      // For two or more signatures, the check with the secret is cheaper than recovery.
      signAll: (digests) =>
        digests.length < 2
          ? digests.map(sign)
          : signedAndChecked(curve, { secret, publicKey: point }, digests, (d, digest) =>
              chosen.sign(digest, d),
            ),
    }
  }
}

/**
 * RFC 6979 and low s. A signature made during a fault of processor or memory could reveal the secret, so it is verified
 * before it is returned: the key recovered from it must be the signer's, which proves the recovery bit too.
 * Verification alone would cost 10 % less.
 */
function signChecked(
  chosen: Secp256k1Backend,
  secret: Uint8Array,
  publicKey: Uint8Array,
  digest: Uint8Array,
): ResourceSignature {
  assert(digest.length === 32, 'a digest is 32 bytes')
  const { rs, recovery } = chosen.sign(digest, secret)
  assert(
    equalBytes(chosen.recover(rs, recovery, digest), publicKey),
    'a secp256k1 signature verifies before it is returned',
  )
  return ecdsaSignature(rs, recovery, secp256k1.Point.Fn.ORDER)
}

/**
 * The one key under which this signature with this recovery bit verifies (SEC 1, section 4.1.6). High s is refused:
 * signers for chains never make it, and it would give one signature a second spelling.
 *
 * @param rs  r ‖ s, 64 bytes
 */
export function recoverSecp256k1(
  rs: Uint8Array,
  recovery: number,
  digest: Uint8Array,
): EcPublicKey | undefined {
  if (rs.length !== 64 || (recovery !== 0 && recovery !== 1) || !isLowS(rs.subarray(32))) return undefined
  try {
    return readSecp256k1Key(toHex(backend.recover(rs, recovery, digest)))
  } catch {
    // Both libraries throw for an r or s out of range and for an r that is the x of no point: no key made this
    // signature.
    return undefined
  }
}

const HALF_ORDER = Buffer.from((secp256k1.Point.Fn.ORDER >> 1n).toString(16).padStart(64, '0'), 'hex')

function isLowS(s: Uint8Array): boolean {
  return Buffer.compare(s, HALF_ORDER) <= 0
}

/** A public key that is ready to verify; the caller keeps it. Uncompressed, which saves a square root at each use. */
export type Secp256k1VerifyKey = { readonly point: Uint8Array }

/** @returns  undefined when the hex is not a point of the curve */
export function secp256k1VerifyKey(publicKeyHex: string): Secp256k1VerifyKey | undefined {
  const key = readSecp256k1Key(publicKeyHex)
  return key === undefined ? undefined : { point: Buffer.from(key.uncompressed, 'hex') }
}

/** Verifies an ECDSA signature over SHA-256 of the message. DER as `readDer` has it; high s is accepted. */
export function verifySecp256k1(
  key: Secp256k1VerifyKey,
  message: Uint8Array,
  derSignature: Uint8Array,
): boolean {
  return verifySecp256k1Digest(key, hash('sha256', message, 'buffer'), derSignature)
}

/** As `verifySecp256k1`, over a digest of 32 bytes made by the caller (EIP-191 hashes with Keccak-256). */
export function verifySecp256k1Digest(
  key: Secp256k1VerifyKey,
  digest: Uint8Array,
  derSignature: Uint8Array,
): boolean {
  assert(digest.length === 32, 'a digest is 32 bytes')
  const rs = readDer(derSignature, SECP256K1_ORDER)
  return rs !== undefined && backend.verify(rs, digest, key.point)
}
