import type { Secret } from '../trusted/base/secret.ts'
import type { SealEntry } from '../trusted/vault/sealed-file.ts'

/** What the operator says of a seal when a root key file is sealed with it: names and values. */
export type SealParameters = { readonly [name: string]: string }

/** What a seal is given of the world. */
export type SealMeans = {
  readonly environment: { readonly [name: string]: string | undefined }
  readonly randomBytes: (length: number) => Uint8Array
}

/**
 * A way to keep the key of a root key file. The file names the seal and which of its keys is meant; how it is reached, and with which
 * rights, stands in the environment: who writes the file alone cannot send the credentials of the service elsewhere, or load a library.
 */
export type Seal = {
  /** In a root key file, and in `claviger root-key rekey --seal`. */
  readonly name: string
  /** Whether it opens with what sealed it, so that this is tried before a file is written that relies on it. */
  readonly isTried: boolean
  /**
   * Seals the key of a file.
   *
   * @param file    the name that the file has for its key, to bind the two
   * @returns       what has to stand in the file, without the name of the seal
   * @throws RootKeyError
   */
  readonly close: (key: Secret, given: Given, means: SealMeans) => Promise<object>
  /**
   * The key of a file, in a process of its own.
   *
   * @throws RootKeyError
   */
  readonly open: (entry: SealEntry, file: string, means: SealMeans) => Promise<Secret>
}

type Given = { readonly parameters: SealParameters; readonly file: string }
