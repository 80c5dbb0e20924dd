import { createECDH, type ECDH } from 'node:crypto'

/** @param secret  scalar, 32 bytes in 1..n-1; copied */
export function p256KeyPair(secret: Uint8Array): ECDH {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  return pair
}

/**
 * Diffie-Hellman on P-256: the x of secret · point, 32 bytes (SEC 1, section 3.3.1).
 *
 * @param publicKey  65 bytes, 04 ‖ X ‖ Y
 * @returns          undefined unless it is an uncompressed point of the curve
 */
export function p256SharedX(pair: ECDH, publicKey: Uint8Array): Uint8Array | undefined {
  if (publicKey.length !== 65 || publicKey[0] !== UNCOMPRESSED) return undefined
  try {
    return pair.computeSecret(publicKey)
  } catch {
    // OpenSSL throws this for every point that is not on the curve, and for nothing else of this form.
    return undefined
  }
}

const UNCOMPRESSED = 0x04
