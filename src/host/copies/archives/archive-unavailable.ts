/**
 * An archive that the store has noted is missing from its place, or cannot be read there. A later attempt may succeed.
 */
export class ArchiveUnavailable extends Error {
  override readonly name = 'ArchiveUnavailable'
}
