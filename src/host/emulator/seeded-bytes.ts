import { createHash } from 'node:crypto'
import type { World } from '../../trusted/base/world.ts'

/**
 * Bytes that follow from this text, different ones at each call: blocks of SHA-256. They do not protect anything of
 * value.
 */
export function seededBytes(seed: string): World['randomBytes'] {
  let drawn = 0
  return (length) => {
    const blocks: Buffer[] = []
    for (let have = 0; have < length; have += 32)
      blocks.push(createHash('sha256').update(`${seed} ${drawn++}`).digest())
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length))
  }
}
