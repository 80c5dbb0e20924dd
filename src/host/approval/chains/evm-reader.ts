import type { NamedSigner } from '../../../trusted/chains/transaction.ts'

/**
 * A signer for readers that require one: the point G, whose address is never shown. The bytes of a transaction do not
 * name the signing key, and a host that named it could lie.
 */
export function nobody(signWith: string): NamedSigner {
  return { curve: 'CURVE_SECP256K1', publicKey: POINT_G, signWith, interfaces: [] }
}

// SEC 2 v2, 2.4.1
const POINT_G = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
