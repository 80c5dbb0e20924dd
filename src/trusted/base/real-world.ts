import { randomFillSync } from 'node:crypto'
import type { World } from './world.ts'

const POOL_BYTES = 4096

/** The clocks of the machine and the randomness of OpenSSL. */
export const realWorld: World = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  randomBytes: pooled(randomFillSync),
}

/**
 * Draws random bytes in bulk, because a request for ten bytes costs as much as one for a thousand. The caller gets a
 * copy, and the pool clears the bytes.
 */
function pooled(fill: (pool: Uint8Array) => void): (length: number) => Uint8Array {
  const pool = new Uint8Array(POOL_BYTES)
  let left = 0
  return (length) => {
    if (length > POOL_BYTES) {
      const bytes = new Uint8Array(length)
      fill(bytes)
      return bytes
    }
    if (length > left) {
      fill(pool)
      left = POOL_BYTES
    }
    left -= length
    const bytes = pool.slice(left, left + length)
    pool.fill(0, left, left + length)
    return bytes
  }
}
