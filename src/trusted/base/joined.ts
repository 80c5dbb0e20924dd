import { hash } from 'node:crypto'
import { utf8 } from './bytes.ts'

export type Parts = readonly (string | number | null)[]

/**
 * Bytes that no two lists of parts have in common: each part is its type, its length in bytes and itself, so that 9 is
 * not "9" and null is not empty. For example `['ü', 9, null]` is `s2:ün1:9-:`.
 */
export function joined(parts: Parts): Uint8Array {
  let text = ''
  for (const part of parts) {
    if (part === null) text += '-:'
    else if (typeof part === 'number') {
      const digits = String(part)
      text += `n${digits.length}:${digits}`
    } else text += `s${Buffer.byteLength(part)}:${part}`
  }
  return utf8(text)
}

/**
 * SHA-256 over the parts, 64 hex digits. The first part says what they are of, so that no digest is one of something
 * else.
 */
export function digestOf(parts: Parts): string {
  return hash('sha256', joined(parts), 'hex')
}
