import { hash } from 'node:crypto'
import { type FileKeys, NO_KEYS } from './file-keys.ts'
import type { RootKeys } from './keyring.ts'
import { holdsAll, neededKeys } from './needed-keys.ts'
import { readRootKeyFile } from './root-key.ts'
import { RootKeyError } from './root-key-error.ts'
import { type OpenWith, unseal } from './unseal.ts'

/**
 * Watches a root key file. The last text is remembered by its digest, and the keys that opened it are kept: they also
 * open versions added later.
 */
export function watchedRootKeyFile(
  text: () => string,
  openWith: OpenWith,
): {
  readonly read: () => Promise<RootKeys>
  /**
   * The keys in the file if it has changed. It does not wait for a seal; a key from a seal is used at the next call.
   *
   * @throws RootKeyError where it does not open, or not yet
   */
  readonly changed: () => RootKeys | undefined
} {
  let last = ''
  let keys: FileKeys = NO_KEYS
  let underWay: Promise<void> | undefined
  let trouble: { readonly of: string; readonly error: RootKeyError } | undefined
  const taken = (found: string): RootKeys => {
    const read = readRootKeyFile(found, keys)
    last = digestOf(found)
    return read
  }
  const opened = async (found: string): Promise<void> => {
    try {
      keys = await unseal(found, openWith)
      trouble = undefined
    } catch (thrown) {
      const error = thrown instanceof RootKeyError ? thrown : new RootKeyError(String(thrown))
      trouble = { of: digestOf(found), error }
    }
  }
  /** It stands while the same file is tried again. */
  const troubleWith = (found: string): RootKeyError | undefined =>
    trouble?.of === digestOf(found) ? trouble.error : undefined
  const needs = (found: string): boolean => !holdsAll(keys, neededKeys(found))
  return {
    read: async () => {
      const found = text()
      if (needs(found)) await opened(found)
      const error = troubleWith(found)
      if (error !== undefined) throw error
      return taken(found)
    },
    changed: () => {
      const found = text()
      if (digestOf(found) === last) return undefined
      if (!needs(found)) return taken(found)
      const before = troubleWith(found)
      underWay ??= opened(found).finally(() => {
        underWay = undefined
      })
      throw before ?? new RootKeyError('the root key file was sealed anew, and is being opened')
    },
  }
}

function digestOf(text: string): string {
  return hash('sha256', text)
}
