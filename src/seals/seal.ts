import type { Secret } from '../trusted/base/secret.ts'
import type { SealEntry } from '../trusted/vault/keys/sealed-file.ts'

/** The operator's parameters of a seal when a root key file is sealed with it: names and values. */
export type SealParameters = { readonly [name: string]: string }

/** The environment of a seal. */
export type SealMeans = {
  readonly environment: { readonly [name: string]: string | undefined }
  readonly randomBytes: (length: number) => Uint8Array
}

/**
 * A way to keep the key of a root key file. The file names the seal and its key; the address and the credentials come
 * from the environment: a writer of the file alone cannot redirect the credentials of the service, or load a library.
 */
export type Seal = {
  /** In a root key file, and in `claviger root-key rekey --seal`. */
  readonly name: string
  /**
   * Whether opening needs only the means of sealing, so that it is tested before a file is written that depends on it.
   */
  readonly isTried: boolean
  /**
   * Seals the key of a file.
   *
   * @param file    the name of the key in the file, to bind the two
   * @returns       the entry for the file, without the name of the seal
   * @throws RootKeyError
   */
  readonly close: (key: Secret, given: Given, means: SealMeans) => Promise<object>
  /**
   * The key of a file, in a process of its own.
   *
   * @throws RootKeyError
   */
  readonly open: (entry: SealEntry, file: string, means: SealMeans) => Promise<Secret>
  /** The reason why a try could do harm now; absent if a try of this kind of seal never does. */
  readonly harmOfTrial?: (entry: SealEntry, means: SealMeans) => Promise<string | undefined>
}

type Given = { readonly parameters: SealParameters; readonly file: string }
