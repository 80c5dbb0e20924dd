import { concat } from '../base/bytes.ts'
import { hmacKey, hmacSha256 } from './hmac.ts'
import { isScalar, reduced } from './scalar.ts'

/**
 * The nonce of RFC 6979, section 3.2, with HMAC-SHA-256, for a curve whose order has 256 bits: yields the first
 * candidate, and the next ones on demand.
 *
 * @param secret  32 bytes in 1..order-1
 * @param digest  32 bytes
 * @returns       32 bytes in 1..order-1; the caller wipes it
 */
export function* nonces(secret: Uint8Array, digest: Uint8Array, order: Uint8Array): Generator<Uint8Array> {
  const seed = concat(secret, reduced(digest, order))
  let key: Uint8Array = new Uint8Array(32)
  let value: Uint8Array = new Uint8Array(32).fill(1)
  const step = (...parts: readonly Uint8Array[]): void => {
    key = hmacSha256(hmacKey(key), value, ...parts)
    value = hmacSha256(hmacKey(key), value)
  }
  step(Uint8Array.of(0), seed)
  step(Uint8Array.of(1), seed)
  seed.fill(0)
  for (;;) {
    value = hmacSha256(hmacKey(key), value)
    if (isScalar(value, order)) yield Uint8Array.from(value)
    step(Uint8Array.of(0))
  }
}
