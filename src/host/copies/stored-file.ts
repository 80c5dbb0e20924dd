/** A file that is read in parts, in any place. */
export type StoredFile = {
  /** The name in messages. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** Exactly the bytes from `start` up to, but excluding, `end`: a place that has fewer, or that fails, throws. */
  readonly read: (range: ByteRange) => AsyncIterable<Uint8Array>
}

/** The range lies within the file: `0 ≤ start ≤ end ≤ size`. */
export type ByteRange = { readonly start: number; readonly end: number }
