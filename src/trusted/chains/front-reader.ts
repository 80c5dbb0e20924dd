import { unreadableTransaction } from './failures.ts'

/** Reads bytes from front to back. Missing bytes and bytes left over give Failure `unreadableTransaction`. */
export class FrontReader {
  readonly #bytes: Uint8Array
  #at: number

  /** @param at  where to begin */
  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  /** The number of bytes before the next one. */
  get position(): number {
    return this.#at
  }

  /**
   * @param what  for the message
   * @returns     a view of the same memory
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

  expectEnd(): void {
    const left = this.#bytes.length - this.#at
    if (left > 0) throw unreadableTransaction({ what: `${left} bytes are left over at the end` })
  }
}
