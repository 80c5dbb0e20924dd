import { unreadableTransaction } from '../failures.ts'

/**
 * Reads bytes from front to back. Missing bytes, bytes left over and lengths that are not in their shortest form are
 * failures.
 */
export class WireReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The number of bytes read so far. */
  get position(): number {
    return this.#at
  }

  /**
   * @param what  for the message, in the plural or uncountable
   * @returns     a view of the same memory
   * @throws      Failure `unreadableTransaction`
   */
  take(length: number, what: string): Uint8Array {
    const end = this.#at + length
    if (end > this.#bytes.length) throw unreadableTransaction({ what: `the bytes end within ${what}` })
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  byte(what: string): number {
    const [byte] = this.take(1, what)
    return byte ?? 0
  }

  /**
   * A length as compact-u16 (Solana, `short_vec`): seven bits a byte, the lowest first, at most 65535. Validators
   * refuse any encoding but the shortest.
   *
   * @throws Failure `unreadableTransaction`
   */
  compactLength(what: string): number {
    let length = 0
    for (let position = 0; position < COMPACT_BYTES_MAX; position++) {
      const byte = this.byte(what)
      if (position > 0 && byte === 0) {
        throw unreadableTransaction({ what: `the number of ${what} is not in its shortest form` })
      }
      length |= (byte & 0x7f) << (7 * position)
      if (byte < 0x80 && length <= LENGTH_MAX) return length
    }
    throw unreadableTransaction({ what: `the number of ${what} is above ${LENGTH_MAX}` })
  }

  /** @throws Failure `unreadableTransaction` */
  expectEnd(): void {
    const left = this.#bytes.length - this.#at
    if (left > 0) throw unreadableTransaction({ what: `${left} bytes are left over at the end` })
  }
}

const COMPACT_BYTES_MAX = 3
const LENGTH_MAX = 0xffff
