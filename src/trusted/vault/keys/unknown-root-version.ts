import { Bug } from '../../base/assert.ts'

/**
 * A row names a version of the root key that the root key file does not hold. The data is not damaged: the file of this
 * host is older than that of another host, or the version was retired and the row was read before it was resealed.
 */
export class UnknownRootVersion extends Bug {
  constructor(what: string, version: number) {
    super(
      `${what} is sealed under root key version ${version}, which the root key file of this host does not hold: ` +
        'bring it the newer file (claviger root-key list)',
    )
  }
}
