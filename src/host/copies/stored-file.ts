/** A file that is read in parts, wherever it is kept. */
export type StoredFile = {
  /** As messages name it. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /**
   * The bytes from `start` on and before `end`, as many and no fewer: a place that has fewer, or that fails, throws.
   */
  readonly read: (range: ByteRange) => AsyncIterable<Uint8Array>
}

/** No more than what the file has: `0 ≤ start ≤ end ≤ size`. */
export type ByteRange = { readonly start: number; readonly end: number }
