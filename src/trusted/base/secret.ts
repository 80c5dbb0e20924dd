/**
 * Bytes that must not be printed, logged or serialised by accident. `wipe` clears this copy; copies made by the runtime
 * are not cleared.
 */
export class Secret {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The bytes themselves, not a copy: use them and let go. */
  reveal(): Uint8Array {
    return this.#bytes
  }

  wipe(): void {
    this.#bytes.fill(0)
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}
