import type { IField } from '@noble/curves/abstract/modular.js'
import { p256 } from '@noble/curves/nist.js'
import { Bug } from '../base/assert.ts'
import { toHex } from '../base/bytes.ts'
import { blindOf } from './blind.ts'
import { p256MultipleOfG } from './p256-multiple.ts'
import { nonces } from './rfc6979.ts'
import { P256_ORDER } from './scalar.ts'

/** 64 bytes r ‖ s, and 1 where the y of R is odd. */
type RecoverableSignature = { readonly rs: Uint8Array; readonly recovery: 0 | 1 }

/**
 * ECDSA (FIPS 186-5, section 6.4.1) with the nonce of RFC 6979 and low s. OpenSSL's own signing uses a random nonce, so
 * that the same request would give another signature each time. The multiplication, which is most of the work, is
 * OpenSSL's.
 *
 * @param secret  32 bytes in 1..n-1
 * @param digest  32 bytes
 * @param Fn      numbers modulo the order; replaced by a recording one in a test
 */
export function signP256Digest(
  secret: Uint8Array,
  digest: Uint8Array,
  Fn: IField<bigint> = p256.Point.Fn,
): RecoverableSignature {
  for (const nonce of nonces(secret, digest, P256_ORDER)) {
    const point = p256MultipleOfG(nonce)
    const blind = blindOf(Fn, nonce, digest)
    const blinded = (bytes: Uint8Array): bigint => Fn.mul(Fn.create(toNumber(bytes)), blind)
    const x = toNumber(point.subarray(1))
    const r = Fn.create(x)
    // (z + r·d)/k, with numerator and denominator multiplied by the same blinding factor.
    const s = Fn.mul(Fn.inv(blinded(nonce)), Fn.add(blinded(digest), Fn.mul(r, blinded(secret))))
    nonce.fill(0)
    // An x of n or more would need a third and fourth recovery value. It is as rare as r or s being zero: 2^-32 or
    // less.
    if (r !== x || Fn.is0(r) || Fn.is0(s)) continue
    const isHigh = s > Fn.ORDER >> 1n
    const isOdd = ((point[0] ?? 0) & 1) === 1
    const rs = new Uint8Array(64)
    rs.set(Fn.toBytes(r))
    rs.set(Fn.toBytes(isHigh ? Fn.neg(s) : s), 32)
    return { rs, recovery: isOdd === isHigh ? 0 : 1 }
  }
  throw new Bug('there is always another nonce')
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes)}`)
}
