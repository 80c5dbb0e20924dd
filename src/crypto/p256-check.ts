import { createECDH } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { equalBytes } from '../base/bytes.ts'

/**
 * Whether an ECDSA signature verifies, for one who holds the secret: Q = d·G, and R = (z + r·d)/s · G has r as its x and the
 * recovery bit as the parity of its y. With Q = d·G this is the equation of SEC 1, section 4.1.4, with its two
 * multiplications put together.
 *
 * It takes a twentieth of the time of verifying with noble. OpenSSL's own verification hashes first, and so cannot be given a
 * digest.
 *
 * @param publicKey  65 bytes, uncompressed
 * @param digest     32 bytes
 * @param rs         64 bytes
 */
export function p256SignatureAgrees(signed: {
  readonly secret: Uint8Array
  readonly publicKey: Uint8Array
  readonly digest: Uint8Array
  readonly rs: Uint8Array
  readonly recovery: number
}): boolean {
  if (!equalBytes(p256MultipleOfG(signed.secret), signed.publicKey)) return false
  const r = toNumber(signed.rs.subarray(0, 32))
  const s = toNumber(signed.rs.subarray(32))
  if (!Fn.isValidNot0(r) || !Fn.isValidNot0(s)) return false
  const z = Fn.create(toNumber(signed.digest))
  const d = toNumber(signed.secret)
  const k = Fn.mul(Fn.add(z, Fn.mul(r, d)), Fn.inv(s))
  if (Fn.is0(k)) return false
  const point = p256MultipleOfG(Fn.toBytes(k))
  const parity = (point[64] ?? 0) & 1
  return Fn.create(toNumber(point.subarray(1, 33))) === r && parity === signed.recovery
}

/**
 * @param scalar  32 bytes in 1..n-1
 * @returns       65 bytes, 04 ‖ X ‖ Y
 */
export function p256MultipleOfG(scalar: Uint8Array): Uint8Array {
  multiplier.setPrivateKey(scalar)
  return multiplier.getPublicKey()
}

// One for all: making it and collecting it afterwards costs more than a tenth of a signature. It holds the last scalar until the
// next one, where objects of its own would hold every scalar until they are collected.
const multiplier = createECDH('prime256v1')

const Fn = p256.Point.Fn

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}
