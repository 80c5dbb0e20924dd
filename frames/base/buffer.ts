/**
 * As much of Node's `Buffer` as the code of the vault uses that runs in pages. The builds of the frames and of the
 * console put it wherever that code says `Buffer`, because browsers have none. What it lacks is undefined: a reader
 * that meets it fails, and what it was reading is refused. `test/console/readers.test.ts` compares both over everything
 * that is read.
 */
export class Buffer extends Uint8Array<ArrayBuffer> {
  /** A text with its encoding, memory with a place in it, or bytes to copy. */
  static override from(...[source, at, length]: readonly unknown[]): Buffer {
    if (typeof source === 'string') return own(bytesOf(source, at === undefined ? 'utf8' : String(at)))
    if (source instanceof ArrayBuffer)
      return own(new Uint8Array(source, Number(at ?? 0), length === undefined ? undefined : Number(length)))
    if (source instanceof Uint8Array) return own(Uint8Array.from(source))
    throw new TypeError('a buffer is made of a text, of memory or of bytes')
  }

  static alloc(length: number): Buffer {
    return own(new Uint8Array(length))
  }

  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer
  }

  static byteLength(text: string): number {
    return new TextEncoder().encode(text).length
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const whole = Buffer.alloc(parts.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }

  override toString(encoding = 'utf8'): string {
    switch (encoding) {
      case 'hex':
        return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('')
      case 'utf8':
        return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this)
      case 'base64url':
        return btoa(Array.from(this, (byte) => String.fromCharCode(byte)).join(''))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '')
    }
    throw new TypeError(`no encoding ${encoding}`)
  }

  equals(other: Uint8Array): boolean {
    return this.compare(other) === 0
  }

  compare(other: Uint8Array): number {
    const end = Math.min(this.length, other.length)
    for (let at = 0; at < end; at++) {
      const difference = (this[at] ?? 0) - (other[at] ?? 0)
      if (difference !== 0) return Math.sign(difference)
    }
    return Math.sign(this.length - other.length)
  }

  readUInt8(at = 0): number {
    return this.#view().getUint8(at)
  }

  readUInt16LE(at = 0): number {
    return this.#view().getUint16(at, true)
  }

  readUInt32LE(at = 0): number {
    return this.#view().getUint32(at, true)
  }

  readUInt32BE(at = 0): number {
    return this.#view().getUint32(at)
  }

  readUIntLE(at: number, length: number): number {
    let value = 0
    for (let index = length - 1; index >= 0; index--) value = value * 256 + this.#view().getUint8(at + index)
    return value
  }

  readFloatLE(at = 0): number {
    return this.#view().getFloat32(at, true)
  }

  readDoubleLE(at = 0): number {
    return this.#view().getFloat64(at, true)
  }

  readBigUInt64LE(at = 0): bigint {
    return this.#view().getBigUint64(at, true)
  }

  readBigUInt64BE(at = 0): bigint {
    return this.#view().getBigUint64(at)
  }

  writeUInt32LE(value: number, at = 0): number {
    this.#view().setUint32(at, value, true)
    return at + 4
  }

  writeBigUInt64LE(value: bigint, at = 0): number {
    this.#view().setBigUint64(at, value, true)
    return at + 8
  }

  #view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.byteLength)
  }
}

/** Over the same memory, without a copy. */
function own(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function bytesOf(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  switch (encoding) {
    case 'utf8':
      return new TextEncoder().encode(text)
    case 'hex':
      return Uint8Array.from({ length: text.length >> 1 }, (_, at) =>
        Number.parseInt(text.slice(2 * at, 2 * at + 2), 16),
      )
    case 'base64url': {
      // A single character of six bits is no byte; Node passes it over.
      const whole = text.length % 4 === 1 ? text.slice(0, -1) : text
      const binary = atob(whole.replaceAll('-', '+').replaceAll('_', '/'))
      return Uint8Array.from(binary, (character) => character.charCodeAt(0))
    }
  }
  throw new TypeError(`no encoding ${encoding}`)
}
