import { assert } from '../base/assert.ts'
import { concat } from '../base/bytes.ts'
import { isScalar, SECP256K1_ORDER } from './scalar.ts'
import { addScalars } from './scalar-sum.ts'
import { isSecp256k1Secret } from './secp256k1.ts'
import { nativeBackend, nobleBackend, type Secp256k1Backend } from './secp256k1-backend.ts'
import { type ResourceSignature, resourceSignature } from './signature.ts'
import { taggedHash } from './tagged-hash.ts'

/** Whether the native library signs; without it a signature takes milliseconds. */
export const isSchnorrQuick: boolean = nativeBackend !== undefined

/**
 * A BIP-340 signature: r is the x of R, and there is no recovery id, so v is 00. The auxiliary randomness is zero, so
 * that a payload has one signature, as under RFC 6979. Fresh randomness would protect against faults while signing;
 * verification does that here.
 *
 * @param secret     32 bytes in 1..n-1, of a point of either parity
 * @param digest     32 bytes
 * @param publicKey  x of the point under which the signature must verify, 32 bytes
 * @see              BIP-340, "Default Signing"
 */
export function signSchnorr(
  secret: Uint8Array,
  digest: Uint8Array,
  publicKey: Uint8Array,
): ResourceSignature {
  assert(digest.length === 32, 'a digest is 32 bytes')
  assert(isSecp256k1Secret(secret), 'a secp256k1 secret is 32 bytes in 1..n-1')
  const backend = nativeBackend ?? nobleBackend
  const signature = backend.schnorr.sign(digest, secret)
  assert(
    backend.schnorr.verify(signature, digest, publicKey),
    'a Schnorr signature verifies before it is returned',
  )
  return resourceSignature(signature, 0)
}

/**
 * The secret of the taproot output key: d is negated where its point has an odd y, then H_TapTweak(x ‖ root) is added.
 *
 * @param secret      32 bytes in 1..n-1
 * @param merkleRoot  32 bytes, or none where there is no script tree
 * @param backend     replaced by a recording one in a test
 * @returns           32 bytes; the caller wipes them
 * @see               BIP-341, "Constructing and spending Taproot outputs"
 */
export function taprootSecret(
  secret: Uint8Array,
  merkleRoot: Uint8Array = new Uint8Array(0),
  backend: Secp256k1Backend = nativeBackend ?? nobleBackend,
): Uint8Array {
  assert(isSecp256k1Secret(secret), 'a secp256k1 secret is 32 bytes in 1..n-1')
  const point = backend.publicKeyOf(secret, true)
  const tweak = taggedHash('TapTweak', concat(point.subarray(1), merkleRoot))
  assert(isScalar(tweak, SECP256K1_ORDER), 'a hash lies within the order of the group')
  const even = point[0] === EVEN_Y ? Uint8Array.from(secret) : backend.negated(secret)
  const sum = addScalars(even, tweak, SECP256K1_ORDER)
  even.fill(0)
  return sum
}

const EVEN_Y = 0x02
