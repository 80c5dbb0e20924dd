import { hash } from 'node:crypto'
import { type FileKeys, NO_KEYS } from './file-keys.ts'
import type { RootKeys } from './keyring.ts'
import { holdsAll, neededKeys } from './needed-keys.ts'
import { readRootKeyFile } from './root-key.ts'
import { RootKeyError } from './root-key-error.ts'
import { type OpenWith, unseal } from './unseal.ts'

/** The text that was read last is remembered by its digest, and what opened it is kept: the same seals open what is added to the file. */
export function watchedRootKeyFile(
  text: () => string,
  openWith: OpenWith,
): {
  readonly read: () => Promise<RootKeys>
  /**
   * What the file holds where it is another one by now. It does not wait for a seal: what one hands over is taken the next time.
   *
   * @throws RootKeyError where it does not open, or not yet
   */
  readonly changed: () => RootKeys | undefined
} {
  let last = ''
  let keys: FileKeys = NO_KEYS
  let underWay: Promise<void> | undefined
  let trouble: RootKeyError | undefined
  const taken = (found: string): RootKeys => {
    const read = readRootKeyFile(found, keys)
    last = hash('sha256', found)
    return read
  }
  const opened = async (found: string): Promise<void> => {
    trouble = undefined
    try {
      keys = await unseal(found, openWith)
    } catch (error) {
      trouble = error instanceof RootKeyError ? error : new RootKeyError(String(error))
    }
  }
  const needs = (found: string): boolean => !holdsAll(keys, neededKeys(found))
  return {
    read: async () => {
      const found = text()
      if (needs(found)) await opened(found)
      if (trouble !== undefined) throw trouble
      return taken(found)
    },
    changed: () => {
      const found = text()
      if (hash('sha256', found) === last) return undefined
      if (!needs(found)) return taken(found)
      const before = trouble
      underWay ??= opened(found).finally(() => {
        underWay = undefined
      })
      throw before ?? new RootKeyError('the root key file was sealed anew, and is being opened')
    },
  }
}
