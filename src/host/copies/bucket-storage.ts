/**
 * What the package of S3-compatible storage does: it asks the storage through the official client, with the credentials
 * that this client finds, in a time that has an end, and says in one word what went wrong. It imports nothing of
 * Claviger.
 */
export type BucketStorage = {
  /** The keys that begin so, and have no `/` behind that. */
  readonly list: (prefix: string) => Promise<{ readonly keys: readonly string[] } | StorageTrouble>
  /** The length in bytes, and the tag by which every reading is of the same object. */
  readonly look: (key: string) => Promise<Looked | StorageTrouble>
  /** The bytes from `start` on and before `end`, which is not `start`. */
  readonly read: (range: {
    readonly key: string
    readonly tag: string
    readonly start: number
    readonly end: number
  }) => Promise<{ readonly bytes: Uint8Array } | StorageTrouble>
  /** Makes an object, which is there when it is whole. It is not written where one with this key was there. */
  readonly write: (
    key: string,
    pieces: AsyncIterable<Uint8Array>,
  ) => Promise<{ readonly isWritten: boolean } | StorageTrouble>
}

type Looked = { readonly size: number; readonly tag: string }

export type StorageTrouble = {
  readonly trouble: StorageTroubleKind
  /** Which storage was asked: a region, or the host of an endpoint. */
  readonly at?: string | undefined
  /** What the storage or the system calls it. */
  readonly code?: string | undefined
}

type StorageTroubleKind =
  | 'noPlace'
  | 'inTheClear'
  | 'noCredentials'
  | 'credentialsRefused'
  | 'clock'
  | 'noRights'
  | 'noBucket'
  | 'elsewhere'
  | 'noObject'
  | 'conditionFailed'
  | 'notImplemented'
  | 'tooLarge'
  | 'wrongAnswer'
  | 'unreachable'
  | 'failed'

/** What the package exports. */
export type BucketStoragePackage = {
  readonly bucketStorage: (place: {
    readonly bucket: string
    /** Whether somebody waits for an answer from it, who is told sooner where it does not answer. */
    readonly isAwaited?: boolean
  }) => BucketStorage
}
