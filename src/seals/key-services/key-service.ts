/**
 * What a package of a key service does: it asks the service through the official client, with the credentials that this client finds,
 * and says in one word what went wrong. Such a package has dependencies of its own, and imports nothing of Claviger.
 */
export type KeyService = {
  /** Encrypts a key under one of the service. */
  readonly wrap: (request: Asked) => Promise<Wrapped | Trouble>
  /** Decrypts what `wrap` gave, under the key that it named. */
  readonly unwrap: (request: Asked) => Promise<Unwrapped | Trouble>
}

export type Asked = {
  /** As the operator names the key, or as `wrap` did. */
  readonly key: string
  /** In the clear for `wrap`, encrypted for `unwrap`. */
  readonly bytes: Uint8Array
  /** What the bytes are for, in the words of the service, where it binds the two. */
  readonly bound: string
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** With the name by which the service decrypts it again. */
type Wrapped = { readonly key: string; readonly wrapped: Uint8Array }
type Unwrapped = { readonly unwrapped: Uint8Array }

export type Trouble = {
  readonly trouble: TroubleKind
  /** Which part of the service was asked, such as a region or the name of a server. */
  readonly at?: string | undefined
  /** What the service or the system calls it. */
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

/** What such a package exports. */
export type KeyServicePackage = {
  readonly keyService: (environment: { readonly [name: string]: string | undefined }) => KeyService
}
