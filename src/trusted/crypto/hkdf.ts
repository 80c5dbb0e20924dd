import { assert } from '../base/assert.ts'
import { concat } from '../base/bytes.ts'
import { hmacKey, hmacSha256 } from './hmac.ts'

/**
 * HKDF with SHA-256 (RFC 5869).
 *
 * @param inputs.length  bytes wanted, at most 8,160
 */
export function hkdfSha256(inputs: {
  readonly ikm: Uint8Array
  readonly salt: Uint8Array
  readonly info: Uint8Array
  readonly length: number
}): Uint8Array {
  return hkdfExpand(hkdfExtract(inputs.salt, inputs.ikm), inputs.info, inputs.length)
}

/** RFC 5869, section 2.2: 32 bytes. */
export function hkdfExtract(salt: Uint8Array, ikm: Uint8Array): Uint8Array {
  return hmacSha256(hmacKey(salt), ikm)
}

/** RFC 5869, section 2.3. */
export function hkdfExpand(prk: Uint8Array, info: Uint8Array, length: number): Uint8Array {
  assert(length >= 0 && length <= lengthMax, 'HKDF gives at most 255 blocks')
  const key = hmacKey(prk)
  const blocks: Uint8Array[] = []
  let block: Uint8Array = new Uint8Array(0)
  for (let counter = 1; blocks.length * BLOCK < length; counter++) {
    block = hmacSha256(key, block, info, Uint8Array.of(counter))
    blocks.push(block)
  }
  return concat(...blocks).subarray(0, length)
}

const BLOCK = 32
const lengthMax = 255 * BLOCK
