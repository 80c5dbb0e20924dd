import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'

/**
 * As much of Node's Buffer as `src/trusted/base/bytes.ts` and what the frames share with the vault use of it. The build puts
 * it wherever that code says `Buffer`, because browsers have none.
 */
class PageBuffer extends Uint8Array<ArrayBufferLike> {
  override toString(encoding: Encoding = 'utf8'): string {
    if (encoding === 'hex') return bytesToHex(this)
    return encoding === 'utf8' ? new TextDecoder().decode(this) : base64urlnopad.encode(this)
  }

  equals(other: Uint8Array): boolean {
    return this.compare(other) === 0
  }

  /** In the order of unsigned bytes; of two that begin alike, the shorter goes first. */
  compare(other: Uint8Array): number {
    const at = this.findIndex((byte, index) => byte !== other[index])
    const [mine, theirs] = at < 0 ? [this.length, other.length] : [this[at] ?? -1, other[at] ?? -1]
    return Math.sign(mine - theirs)
  }
}

type Encoding = 'hex' | 'utf8' | 'base64url'

export const Buffer = {
  from: (
    of: string | ArrayBuffer,
    encodingOrOffset: Encoding | number = 'utf8',
    length?: number,
  ): PageBuffer =>
    typeof of === 'string'
      ? view(decoded(of, encodingOrOffset))
      : new PageBuffer(of, Number(encodingOrOffset), length),
  alloc: (length: number): PageBuffer => view(new Uint8Array(length)),
  concat: (parts: readonly Uint8Array[]): PageBuffer => view(concatBytes(...parts)),
  isBuffer: (value: unknown): boolean => value instanceof PageBuffer,
  byteLength: (text: string): number => utf8ToBytes(text).length,
}

function view({ buffer, byteOffset, length }: Uint8Array): PageBuffer {
  return new PageBuffer(buffer, byteOffset, length)
}

function decoded(text: string, encoding: Encoding | number): Uint8Array {
  if (encoding === 'hex') return hexToBytes(text)
  return encoding === 'base64url' ? base64urlnopad.decode(text) : utf8ToBytes(text)
}
