/** An archive that the store has noted is not in its place, or cannot be read there. It may be, later. */
export class ArchiveUnavailable extends Error {
  override readonly name = 'ArchiveUnavailable'
}
