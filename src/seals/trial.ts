import type { FileKeys } from '../trusted/vault/keys/file-keys.ts'
import { readRootKeyFile } from '../trusted/vault/keys/root-key.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import type { SealEntry } from '../trusted/vault/keys/sealed-file.ts'
import { sealNamed } from './list.ts'
import type { SealMeans } from './seal.ts'
import { SealUnset } from './seal-unset.ts'

/** The result of trying a seal: it opens the file, it is not set up here, or another try could do harm. */
export type Trial =
  | { readonly trial: 'opens' }
  | { readonly trial: 'unset' | 'unsafe'; readonly because: string }

/**
 * Tries a seal as the vault does, in the process of the seal, which hands over no part of the key.
 *
 * @throws RootKeyError  with the reason why the seal does not open the file
 */
export async function trialOf(
  fileText: string,
  entry: SealEntry,
  { means, opened }: { readonly means: SealMeans; readonly opened: () => Promise<FileKeys> },
): Promise<Trial> {
  const harm = async () => await sealNamed(entry.seal).harmOfTrial?.(entry, means)
  try {
    const because = await harm()
    if (because !== undefined) return { trial: 'unsafe', because }
    readRootKeyFile(fileText, await opened())
    return { trial: 'opens' }
  } catch (error) {
    if (error instanceof SealUnset) return { trial: 'unset', because: error.message }
    if (!(error instanceof RootKeyError)) throw error
    // The failed try itself may have made another one harmful: the caller will try again.
    const now = await harm()
    if (now === undefined) throw error
    return { trial: 'unsafe', because: `${error.message}; ${now}` }
  }
}
