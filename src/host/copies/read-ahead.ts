import { Lru } from '../../trusted/base/lru.ts'
import { readRange } from './read-range.ts'
import type { ByteRange, StoredFile } from './stored-file.ts'

const WINDOW_BYTES = 4 * 1024 * 1024
const WINDOWS_MAX = 8

/**
 * The same file for a reader of all of it in short, neighbouring ranges. It is read in windows, and the last ones are
 * cached (32 MiB), so that the storage does not get a call for each range.
 */
export function readAhead(
  file: StoredFile,
  { windowBytes = WINDOW_BYTES, windowsMax = WINDOWS_MAX } = {},
): StoredFile {
  const windows = new Lru<Promise<Buffer>>(windowsMax)

  async function windowAt(start: number): Promise<Buffer> {
    const known = windows.get(String(start))
    if (known !== undefined) return await known
    const window = readRange(file, { start, end: Math.min(file.size, start + windowBytes) })
    windows.set(String(start), window)
    try {
      return await window
    } catch (error) {
      windows.delete(String(start))
      throw error
    }
  }

  return {
    ...file,
    read: async function* ({ start, end }: ByteRange) {
      for (let from = start; from < end; ) {
        const at = from - (from % windowBytes)
        const to = Math.min(end, at + windowBytes)
        const window = await windowAt(at)
        yield window.subarray(from - at, to - at)
        from = to
      }
    },
  }
}
