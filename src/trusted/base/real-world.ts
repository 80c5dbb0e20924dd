import { hash, randomFillSync } from 'node:crypto'
import type { World } from './world.ts'

const POOL_BYTES = 4096
const SEED_BYTES = 32
/** Of SHA-512. */
const DIGEST_BYTES = 64

/** The clocks of the machine and the randomness of OpenSSL. */
export const realWorld: World = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  randomBytes: randomBytesOf({
    fill: randomFillSync,
    now: () => Date.now(),
    elapsed: () => performance.now(),
  }),
}

/**
 * Random bytes that do not repeat when a virtual machine is resumed from a snapshot of its memory. The pool is in that
 * memory, and so is the state of OpenSSL, which takes entropy of the system once an hour: a second wallet would get the
 * key of the first one, and a nonce would be used twice. So each draw is hashed with both clocks: two machines would
 * have to draw at the same nanosecond after they were resumed.
 */
export function randomBytesOf({
  fill,
  now,
  elapsed,
}: Pick<World, 'now' | 'elapsed'> & { readonly fill: (pool: Uint8Array) => void }): World['randomBytes'] {
  const seeds = pooled(fill)
  const block = new Uint8Array(SEED_BYTES + 2 * Float64Array.BYTES_PER_ELEMENT)
  const clocks = new DataView(block.buffer, SEED_BYTES)
  return (length) => {
    const bytes = new Uint8Array(length)
    for (let at = 0; at < length; at += DIGEST_BYTES) {
      seeds(block.subarray(0, SEED_BYTES))
      clocks.setFloat64(0, elapsed())
      clocks.setFloat64(Float64Array.BYTES_PER_ELEMENT, now())
      const digest = hash('sha512', block, 'buffer')
      bytes.set(digest.subarray(0, length - at), at)
      digest.fill(0)
    }
    block.fill(0)
    return bytes
  }
}

/**
 * Draws random bytes in bulk, because a request for ten bytes costs as much as one for a thousand. The pool clears the
 * bytes that it has given.
 */
function pooled(fill: (pool: Uint8Array) => void): (into: Uint8Array) => void {
  const pool = new Uint8Array(POOL_BYTES)
  let left = 0
  return (into) => {
    if (into.length > left) {
      fill(pool)
      left = POOL_BYTES
    }
    left -= into.length
    const drawn = pool.subarray(left, left + into.length)
    into.set(drawn)
    drawn.fill(0)
  }
}
