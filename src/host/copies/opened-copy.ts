import type { CopyBeginning, CopyManifest } from './copy-file.ts'
import type { RowPage } from './row-source.ts'

/** A backup that has been opened: of its own pages and of its end. Reading it to its end checks all of it. */
export type OpenedCopy = {
  /** Names this backup: no other one has it. */
  readonly id: string
  readonly beginning: CopyBeginning
  /** Its rows. @throws CopyError at whatever is damaged, and at the end where its rows are not those of its manifest */
  readonly pages: () => AsyncGenerator<RowPage, CopyManifest>
}
