import type { IField } from '@noble/curves/abstract/modular.js'
import { assert } from '../base/assert.ts'
import { equalBytes, toHex } from '../base/bytes.ts'
import { blindOf } from './blind.ts'
import { ecdsaSignature, type ResourceSignature } from './signature.ts'

/** A curve of 256 bits. */
type CheckedCurve = {
  /** Numbers modulo the order. */
  readonly Fn: IField<bigint>
  /** @returns  33 bytes, SEC 1 compressed */
  readonly multipleOfG: (scalar: Uint8Array) => Uint8Array
}

type SignedDigest = {
  /** 32 bytes */
  readonly digest: Uint8Array
  /** 64 bytes r ‖ s */
  readonly rs: Uint8Array
  /** 1 where the y of R is odd */
  readonly recovery: number
}

/** @returns  deterministic, with low s */
type SignDigest = (secret: Uint8Array, digest: Uint8Array) => Omit<SignedDigest, 'digest'>

/** Signs with a key, and returns a signature only after it has verified under the public key. */
export function signedAndChecked(
  curve: CheckedCurve,
  key: { readonly secret: Uint8Array; readonly publicKey: Uint8Array },
  digests: readonly Uint8Array[],
  sign: SignDigest,
): readonly ResourceSignature[] {
  const signed = digests.map((digest) => {
    assert(digest.length === 32, 'a digest is 32 bytes')
    return { digest, ...sign(key.secret, digest) }
  })
  assert(signaturesAgree(curve, key, signed), 'a signature verifies before it is returned')
  return signed.map(({ rs, recovery }) => ecdsaSignature(rs, recovery, curve.Fn.ORDER))
}

/**
 * Verifies ECDSA signatures by one key with the help of its secret: Q = d·G, and for each signature R = (z + r·d)/s · G
 * has r as its x and the recovery bit as the parity of its y. With Q = d·G this is the equation of SEC 1, section
 * 4.1.4, with its two multiplications combined. For several signatures, Q and the inverses are computed once.
 *
 * @param key.secret     32 bytes
 * @param key.publicKey  33 bytes, compressed
 */
export function signaturesAgree(
  { Fn, multipleOfG }: CheckedCurve,
  key: { readonly secret: Uint8Array; readonly publicKey: Uint8Array },
  signed: readonly SignedDigest[],
): boolean {
  if (!equalBytes(multipleOfG(key.secret), key.publicKey)) return false
  const d = toNumber(key.secret)
  const numbers = signed.map(({ digest, rs }) => ({
    z: Fn.create(toNumber(digest)),
    r: toNumber(rs.subarray(0, 32)),
    s: toNumber(rs.subarray(32)),
    blind: blindOf(Fn, key.secret, rs),
  }))
  if (!numbers.every(({ r, s }) => Fn.isValidNot0(r) && Fn.isValidNot0(s))) return false
  const inverses = Fn.invertBatch(numbers.map(({ s, blind }) => Fn.mul(s, blind)))
  return numbers.every(({ z, r, blind }, at) => {
    const blinded = Fn.add(Fn.mul(z, blind), Fn.mul(r, Fn.mul(d, blind)))
    const k = Fn.mul(blinded, inverses[at] ?? 0n)
    if (Fn.is0(k)) return false
    const point = multipleOfG(Fn.toBytes(k))
    const parity = (point[0] ?? 0) & 1
    return Fn.create(toNumber(point.subarray(1))) === r && parity === signed[at]?.recovery
  })
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes)}`)
}
