import { list, type PlainOf, record, text } from '../../../trusted/base/plain.ts'
import { archiveEntry, archiveKinds } from './archive-entry.ts'

export const ARCHIVE_FORMAT = 'claviger archive 1'

/**
 * The last block of an archive. Behind it stand four bytes, which say how long it is (unsigned, the highest byte
 * first), so that a reader of a range of bytes finds everything from there.
 */
export const archiveEnd = record({
  /** The fields of an activity, in the order in which their values stand. */
  fields: list(text(100), 100),
  kinds: archiveKinds,
  root: archiveEntry,
  manifest: text(64 * 1024),
  proof: text(1_000),
})

export type ArchiveEnd = PlainOf<typeof archiveEnd>

export const LENGTH_BYTES = 4
