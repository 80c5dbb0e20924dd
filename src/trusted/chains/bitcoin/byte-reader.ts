import { asBuffer, concat } from '../../base/bytes.ts'
import { unreadableTransaction } from '../failures.ts'

/**
 * Reads bytes one part after the other. Reading past the end is a failure with the name of the object that was read.
 */
export class ByteReader {
  readonly #name: string
  readonly #bytes: Buffer
  #at = 0

  /** @param name  name of the object that is read, for failures */
  constructor(name: string, bytes: Uint8Array) {
    this.#name = name
    this.#bytes = asBuffer(bytes)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Uint8Array {
    const start = this.#at
    if (length > this.#bytes.length - start) throw unreadableTransaction({ what: `${this.#name} is cut off` })
    this.#at += length
    return this.#bytes.subarray(start, this.#at)
  }

  /** Whether these bytes come next; the position does not move. */
  isNext(bytes: Uint8Array): boolean {
    return this.#bytes.subarray(this.#at, this.#at + bytes.length).equals(bytes)
  }

  uint32(): number {
    return asBuffer(this.take(4)).readUInt32LE()
  }

  uint64(): bigint {
    return asBuffer(this.take(8)).readBigUInt64LE()
  }

  /** A count or a length, in the only form that is valid: the shortest. */
  compactSize(): number {
    const first = asBuffer(this.take(1)).readUInt8()
    if (first < WIDE_SIZE) return first
    const [value, least] =
      first === WIDE_SIZE
        ? [asBuffer(this.take(2)).readUInt16LE(), WIDE_SIZE]
        : first === WIDER_SIZE
          ? [this.uint32(), 0x1_0000]
          : [Number(this.uint64()), 0x1_0000_0000]
    if (value < least)
      throw unreadableTransaction({ what: `${this.#name} has a size that is not in its shortest form` })
    return value
  }

  /** Bytes with their length before them. */
  sized(): Uint8Array {
    return this.take(this.compactSize())
  }

  end(): void {
    if (!this.isAtEnd) {
      throw unreadableTransaction({
        what: `${this.#name} is followed by ${this.#bytes.length - this.#at} bytes`,
      })
    }
  }
}

export function writeUint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export function writeUint64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** @see https://developer.bitcoin.org/reference/transactions.html, "CompactSize Unsigned Integers" */
export function writeCompactSize(size: number): Uint8Array {
  if (size < WIDE_SIZE) return Uint8Array.of(size)
  if (size < 0x1_0000) return Uint8Array.of(WIDE_SIZE, size & 0xff, size >> 8)
  return concat(Uint8Array.of(WIDER_SIZE), writeUint32(size))
}

export function writeSized(bytes: Uint8Array): Uint8Array {
  return concat(writeCompactSize(bytes.length), bytes)
}

const WIDE_SIZE = 0xfd
const WIDER_SIZE = 0xfe
