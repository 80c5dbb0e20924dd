import type { StoredFile } from './stored-file.ts'

/** Where the archives of a store are kept. A file in it is written once, and never changed after that. */
export type ArchivePlace = {
  /** As the operator has named it. */
  readonly address: string
  /**
   * Called before the first file of a run is written.
   * @throws CopyError where the place does not keep what `write` promises
   */
  readonly prepare: () => Promise<void>
  /** The names of the files that are there, in no order. Others than archives may be among them. */
  readonly list: () => Promise<readonly string[]>
  /** @returns undefined where no file has this name */
  readonly open: (name: string) => Promise<StoredFile | undefined>
  /**
   * Writes a file, which is there when it is whole, and not before.
   *
   * @throws CopyError where a file of this name is there, which stays as it is
   */
  readonly write: (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** Returns when whatever `open` gave outlasts a loss of power. */
  readonly settle: () => Promise<void>
}
