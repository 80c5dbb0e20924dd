/**
 * The interface of a key service package: it calls the service through the official client, with the credentials that
 * this client finds, and reports a problem as one word. Such a package has its own dependencies, and imports nothing
 * from Claviger.
 */
export type KeyService = {
  /** Encrypts a key under one of the service. */
  readonly wrap: (request: Asked) => Promise<Wrapped | Trouble>
  /** Decrypts the result of `wrap`, under the key that it named. */
  readonly unwrap: (request: Asked) => Promise<Unwrapped | Trouble>
}

export type Asked = {
  /** The operator's name of the key, or the name from `wrap`. */
  readonly key: string
  /** In the clear for `wrap`, encrypted for `unwrap`. */
  readonly bytes: Uint8Array
  /** The purpose of the bytes, for services that bind it to the ciphertext. */
  readonly bound: string
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal
}

/** With the name by which the service decrypts it again. */
type Wrapped = { readonly key: string; readonly wrapped: Uint8Array }
type Unwrapped = { readonly unwrapped: Uint8Array }

export type Trouble = {
  readonly trouble: TroubleKind
  /** The part of the service, such as a region or the name of a server. */
  readonly at?: string | undefined
  /** The error code of the service or the system. */
  readonly code?: string | undefined
}

type TroubleKind =
  | 'noPlace'
  | 'inTheClear'
  | 'noCredentials'
  | 'credentialsRefused'
  | 'noRights'
  | 'noKey'
  | 'keyUnusable'
  | 'notDecrypted'
  | 'wrongAnswer'
  | 'unreachable'
  | 'failed'

/** The exports of such a package. */
export type KeyServicePackage = {
  readonly keyService: (environment: { readonly [name: string]: string | undefined }) => KeyService
}
