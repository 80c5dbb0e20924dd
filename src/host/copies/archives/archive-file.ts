import { list, type PlainOf, record, text } from '../../../trusted/base/plain.ts'
import { archiveEntry, archiveKinds } from './archive-entry.ts'

export const ARCHIVE_FORMAT = 'claviger archive 1'

/**
 * The last block of an archive. After it come four bytes with its length (unsigned, big-endian), so a reader of byte
 * ranges finds everything from the end.
 */
export const archiveEnd = record({
  /** The fields of an activity, in the order of their values. */
  fields: list(text(100), 100),
  kinds: archiveKinds,
  root: archiveEntry,
  manifest: text(64 * 1024),
  proof: text(1_000),
})

export type ArchiveEnd = PlainOf<typeof archiveEnd>

export const LENGTH_BYTES = 4
