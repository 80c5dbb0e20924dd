import type { CopyBeginning, CopyManifest } from './copy-file.ts'
import type { RowPage } from './row-source.ts'

/** An opened backup, with functions for its own pages and its end. Reading it to its end checks all of it. */
export type OpenedCopy = {
  /** A unique id of this backup. */
  readonly id: string
  readonly beginning: CopyBeginning
  /**
   * Its rows.
   *
   * @throws CopyError at the first damage, and at the end if the rows disagree with the manifest
   */
  readonly pages: () => AsyncGenerator<RowPage, CopyManifest>
}
