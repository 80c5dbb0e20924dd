import type { StoredFile } from './stored-file.ts'

/** The place of the archives of a store. A file in it is written once, and never changes. */
export type ArchivePlace = {
  /** The name that the operator has given. */
  readonly address: string
  /**
   * Called before a run writes its first file.
   *
   * @throws CopyError if the place does not keep the promise of `write`
   */
  readonly prepare: () => Promise<void>
  /** The names of the files there, in no order. Other files than archives may be among them. */
  readonly list: () => Promise<readonly string[]>
  /** @returns undefined if no file has this name */
  readonly open: (name: string) => Promise<StoredFile | undefined>
  /**
   * Writes a file, which appears only when it is complete.
   *
   * @throws CopyError if a file of this name exists; it stays unchanged
   */
  readonly write: (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** Returns when every file that `open` returned survives a loss of power. */
  readonly settle: () => Promise<void>
}
