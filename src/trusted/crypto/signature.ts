import { assert } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'

/**
 * A signature as the interface returns it: r and s are 64 lowercase hex digits each, v is 00 or 01 (00 for Ed25519).
 */
export type ResourceSignature = { readonly r: string; readonly s: string; readonly v: '00' | '01' }

/** A secret that is ready to sign. `publicKey` is the hex of 33 bytes (SEC 1 compressed), or 32 for Ed25519. */
export type Signer = {
  readonly publicKey: string
  /** Takes a digest of 32 bytes; for Ed25519 the message itself, of any length. */
  readonly sign: (digestOrMessage: Uint8Array) => ResourceSignature
  /** The same for several at once, at a lower cost for each. */
  readonly signAll: (digestsOrMessages: readonly Uint8Array[]) => readonly ResourceSignature[]
}

/** A public key in both forms of SEC 1, section 2.3.3: lowercase hex of 33 and of 65 bytes. */
export type EcPublicKey = { readonly compressed: string; readonly uncompressed: string }

/**
 * The interface's form of an ECDSA signature. Asserts that s is the lower of its two values (BIP 146, EIP-2).
 *
 * @param rs        64 bytes, the two halves of the signature
 * @param recovery  1 where the y of R is odd
 * @param order     of the curve
 */
export function ecdsaSignature(rs: Uint8Array, recovery: number, order: bigint): ResourceSignature {
  const signature = resourceSignature(rs, recovery)
  assert(BigInt(`0x${signature.s}`) <= order >> 1n, 'an ECDSA signature has the lower s')
  return signature
}

/**
 * @param rs        64 bytes, the two halves of the signature
 * @param recovery  of an ECDSA signature: 1 where the y of R is odd
 */
export function resourceSignature(rs: Uint8Array, recovery: number): ResourceSignature {
  assert(rs.length === 64, 'a signature is 64 bytes')
  // 2 and 3 mean that the x of R is not below the order, which is too rare to ever happen (2^-127).
  assert(recovery === 0 || recovery === 1, 'a recovery id is 0 or 1')
  const hex = toHex(rs)
  return { r: hex.slice(0, 64), s: hex.slice(64), v: recovery === 1 ? '01' : '00' }
}
