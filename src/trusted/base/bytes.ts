/** Lowercase hexadecimal, no prefix. */
export function toHex(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('hex')
}

/** Bytes of a hexadecimal text of either case without prefix; undefined when it is anything else. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined
  return Buffer.from(text, 'hex')
}

/** RFC 4648 section 5, no padding. */
export function toBase64url(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('base64url')
}

/** Reads base64url; padding is tolerated, any other character and any non-canonical ending is not. */
export function fromBase64url(text: string): Uint8Array | undefined {
  const bare = text.replace(/={1,2}$/, '')
  if (!/^[A-Za-z0-9_-]*$/.test(bare)) return undefined
  const bytes = Buffer.from(bare, 'base64url')
  return bytes.toString('base64url') === bare ? bytes : undefined
}

export function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

/** The text of well-formed UTF-8 (no byte order mark is dropped); undefined when it is not well formed. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return undefined
  }
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && asBuffer(a).equals(asBuffer(b))
}

/** A Buffer over the same memory, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Of shorter bytes the memory is part of a larger piece, or not worth the call. */
const RELEASED_BYTES_MIN = 4 * 1024

/**
 * Frees the memory of bytes that nobody uses any more, if no other bytes share it: they are empty from now on. The
 * collector of garbage would free it later. It also counts such memory, and so eight megabytes of bodies were enough
 * for a collection of the whole heap.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < RELEASED_BYTES_MIN || byteLength < buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
