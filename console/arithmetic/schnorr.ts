import { taggedHash } from '../../src/trusted/crypto/tagged-hash.ts'
import { mod } from './numbers.ts'
import { affine, multiple, numberIn, plus, pointOf, secp256k1 } from './weierstrass.ts'

/** A signature of Schnorr on secp256k1 (BIP-340). @param x  of the key, 32 bytes */
export function isSchnorr(rs: Uint8Array, message: Uint8Array, x: Uint8Array): boolean {
  const { prime, order, generator } = secp256k1
  const [r, s, key] = [numberIn(rs, 0), numberIn(rs, 32), pointOf(secp256k1, Uint8Array.of(2, ...x))]
  if (rs.length !== 64 || key === undefined || r >= prime || s >= order) return false
  const challenge = taggedHash('BIP0340/challenge', Uint8Array.of(...rs.subarray(0, 32), ...x, ...message))
  const e = mod(-numberIn(challenge, 0), order)
  const sum = plus(secp256k1, multiple(secp256k1, s, generator), multiple(secp256k1, e, key))
  if (sum[2] === 0n) return false
  const [rx, ry] = affine(prime, sum)
  return rx === r && ry % 2n === 0n
}
