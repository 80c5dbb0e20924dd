import { hash } from 'node:crypto'
import type { Ms, World } from '../../base/world.ts'
import { type FileKeys, NO_KEYS } from './file-keys.ts'
import type { RootKeys } from './keyring.ts'
import { holdsAll, neededKeys } from './needed-keys.ts'
import { readRootKeyFile } from './root-key.ts'
import { RootKeyError } from './root-key-error.ts'
import { type OpenWith, unseal } from './unseal.ts'

/**
 * The pauses after a failed try, of which each is twice the one before. A try is not free: a passphrase takes half a
 * second of work, a key service counts each call, and a device each wrong PIN.
 */
const PAUSE_MS_MIN = 2_000
const PAUSE_MS_MAX = 60_000

/** A file that did not open, and when it is tried again, by the monotonic clock. */
type Failed = { readonly of: string; readonly error: RootKeyError; readonly pauseMs: Ms; readonly until: Ms }

/**
 * Watches a root key file. The last text is remembered by its digest, and the keys that opened it are kept: they also
 * open versions added later.
 */
export function watchedRootKeyFile(
  text: () => string,
  openWith: OpenWith,
  elapsed: World['elapsed'],
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
  /** The file that is being opened. */
  let underWay: { readonly of: string; readonly letGo: AbortController } | undefined
  let failed: Failed | undefined
  const taken = (found: string): RootKeys => {
    const read = readRootKeyFile(found, keys)
    last = digestOf(found)
    return read
  }
  const opened = async (found: string): Promise<void> => {
    const mine = { of: digestOf(found), letGo: new AbortController() }
    underWay = mine
    const openStill: OpenWith = async (request) => {
      if (underWay !== mine) throw new RootKeyError('the root key file was replaced meanwhile')
      return await openWith(request, mine.letGo.signal)
    }
    try {
      const handed = await unseal(found, openStill)
      if (underWay !== mine) return
      keys = handed
      failed = undefined
    } catch (thrown) {
      if (underWay !== mine) return
      const error = thrown instanceof RootKeyError ? thrown : new RootKeyError(String(thrown))
      const previous = failedBefore(found)
      const pauseMs = previous === undefined ? PAUSE_MS_MIN : Math.min(2 * previous.pauseMs, PAUSE_MS_MAX)
      failed = { of: mine.of, error, pauseMs, until: elapsed() + pauseMs }
    }
    underWay = undefined
  }
  /** It stands while the same file is tried again. */
  const failedBefore = (found: string): Failed | undefined =>
    failed?.of === digestOf(found) ? failed : undefined
  const needs = (found: string): boolean => !holdsAll(keys, neededKeys(found))
  return {
    read: async () => {
      const found = text()
      if (needs(found)) await opened(found)
      const before = failedBefore(found)
      if (before !== undefined) throw before.error
      return taken(found)
    },
    changed: () => {
      const found = text()
      const isLast = digestOf(found) === last
      if (isLast || !needs(found)) {
        // Another file that is still being opened is gone, and its keys are not those of this one.
        underWay?.letGo.abort()
        underWay = undefined
        return isLast ? undefined : taken(found)
      }
      const before = failedBefore(found)
      const isDue = before === undefined || elapsed() >= before.until
      // A file that people were to open may have been replaced before they did.
      if (isDue && underWay?.of !== digestOf(found)) void opened(found)
      throw before?.error ?? new RootKeyError('the root key file was sealed anew, and is being opened')
    },
  }
}

function digestOf(text: string): string {
  return hash('sha256', text)
}
