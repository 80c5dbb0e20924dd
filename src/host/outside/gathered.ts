import { release } from '../../trusted/base/bytes.ts'

const CAPACITY_MIN = 8 * 1024

/**
 * Bytes that arrive, in one buffer of at most twice their number, or of 8 KiB. A list of the pieces would take up
 * hundreds of times as much where each has one byte, and the bounds on what arrives count bytes.
 */
export class Gathered {
  readonly #max: number
  #buffer: Buffer = NOTHING
  #length = 0

  /** @param max  more bytes are never added */
  constructor(max: number) {
    this.#max = max
  }

  /** @param piece  nobody else may use it afterwards: its memory is freed */
  add(piece: Buffer): void {
    const length = this.#length + piece.length
    // A usual body comes in one piece, and is not copied.
    if (this.#length === 0) this.#buffer = piece
    else {
      if (length > this.#buffer.length) {
        const capacity = Math.max(CAPACITY_MIN, length, 2 * this.#buffer.length)
        const larger = Buffer.allocUnsafeSlow(Math.min(capacity, this.#max))
        this.#buffer.copy(larger)
        release(this.#buffer)
        this.#buffer = larger
      }
      piece.copy(this.#buffer, this.#length)
      release(piece)
    }
    this.#length = length
  }

  /** Forgets the bytes, also those that were given out. */
  clear(): void {
    release(this.#buffer)
    this.#buffer = NOTHING
    this.#length = 0
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}

const NOTHING = Buffer.alloc(0)
