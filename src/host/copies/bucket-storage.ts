/**
 * The interface of the package for S3-compatible storage. It calls the storage through the official client, with the
 * credentials that this client finds and with a time limit, and names each error by one word. It imports no code of
 * Claviger.
 */
export type BucketStorage = {
  /** The keys with this prefix and without a further `/`. */
  readonly list: (prefix: string) => Promise<{ readonly keys: readonly string[] } | StorageTrouble>
  /** The length in bytes, and the tag that pins all reads to the same object. */
  readonly look: (key: string) => Promise<Looked | StorageTrouble>
  /** The bytes from `start` up to, but excluding, `end`; the range is not empty. */
  readonly read: (range: {
    readonly key: string
    readonly tag: string
    readonly start: number
    readonly end: number
  }) => Promise<{ readonly bytes: Uint8Array } | StorageTrouble>
  /** Creates an object, which appears only when it is complete. An object with this key is not replaced. */
  readonly write: (
    key: string,
    pieces: AsyncIterable<Uint8Array>,
  ) => Promise<{ readonly isWritten: boolean } | StorageTrouble>
}

type Looked = { readonly size: number; readonly tag: string }

export type StorageTrouble = {
  readonly trouble: StorageTroubleKind
  /** The storage that was called: a region, or the host of an endpoint. */
  readonly at?: string | undefined
  /** The name of the error in the storage or the system. */
  readonly code?: string | undefined
}

type StorageTroubleKind =
  | 'noPlace'
  | 'inTheClear'
  | 'noCredentials'
  | 'credentialsRefused'
  | 'clock'
  | 'noRights'
  | 'cold'
  | 'noBucket'
  | 'elsewhere'
  | 'noObject'
  | 'conditionFailed'
  | 'notImplemented'
  | 'tooLarge'
  | 'wrongAnswer'
  | 'unreachable'
  | 'failed'

/** The exports of the package. */
export type BucketStoragePackage = {
  readonly bucketStorage: (place: {
    readonly bucket: string
    /** Whether a caller waits for an answer; then a storage that does not answer is reported sooner. */
    readonly isAwaited?: boolean
  }) => BucketStorage
}
