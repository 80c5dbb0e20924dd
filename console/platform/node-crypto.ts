import { sha256 } from '@noble/hashes/sha2.js'
import { Buffer } from '../../frames/base/buffer.ts'

/** As much of `node:crypto` as the readers of the vault use, for a page. */
export function hash(
  algorithm: string,
  data: Uint8Array | string,
  encoding: 'hex' | 'buffer',
): string | Buffer {
  if (algorithm !== 'sha256') throw new TypeError(`no hash ${algorithm}`)
  const digest = Buffer.from(sha256(typeof data === 'string' ? new TextEncoder().encode(data) : data))
  return encoding === 'buffer' ? digest : digest.toString(encoding)
}
