import type { IField } from '@noble/curves/abstract/modular.js'
import { toHex } from '../base/bytes.ts'
import { hmacKey, hmacSha256 } from './hmac.ts'

/**
 * A blinding factor for secret numbers, so that the run time of JavaScript's bigint arithmetic tells nothing about
 * them. It is derived from a secret: nobody else can know it, and the same input is computed the same way each time.
 *
 * @param secret  32 bytes
 * @param of      the digest that is signed or checked; each has its own factor
 * @returns       a number modulo the order, not 0
 */
export function blindOf(Fn: IField<bigint>, secret: Uint8Array, of: Uint8Array): bigint {
  const drawn = Fn.create(BigInt(`0x${toHex(hmacSha256(hmacKey(secret), of))}`))
  return Fn.is0(drawn) ? Fn.ONE : drawn
}
