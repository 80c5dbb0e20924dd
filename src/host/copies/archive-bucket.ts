import type { ArchivePlace } from './archive-place.ts'
import type { BucketStorage, StorageTrouble } from './bucket-storage.ts'
import { CopyError, StorageRefused, StorageUnreachable } from './copy-error.ts'
import type { ByteRange, StoredFile } from './stored-file.ts'
import { storageTroubleText } from './storage-trouble-text.ts'

/**
 * Tests whether a storage writes only once: the second write of this object must be refused. The first run leaves the
 * object there.
 */
const WRITE_ONCE_FILE = 'write-once.txt'
const WRITE_ONCE_TEXT =
  'Claviger writes each file here once, and tries with this one whether the storage keeps to it.\n'
const RANGE_BYTES_MAX = 8 * 1024 * 1024

/**
 * The objects of a bucket whose keys begin with a prefix.
 *
 * @param prefix  without a `/` at its end; empty for the whole bucket
 */
export function archiveBucket(
  storage: BucketStorage,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): ArchivePlace {
  const folder = prefix === '' ? '' : `${prefix}/`
  const pathOf = (name: string): string => `s3://${bucket}/${folder}${name}`
  const address = pathOf('').slice(0, -1)
  const write = async (name: string, bytes: AsyncIterable<Uint8Array>): Promise<boolean> =>
    answered(await storage.write(`${folder}${name}`, bytes), pathOf(name)).isWritten
  const writeMarker = async (): Promise<boolean> => await write(WRITE_ONCE_FILE, marker())
  return {
    address,
    prepare: async () => {
      if ((await writeMarker()) && (await writeMarker()))
        throw new CopyError(
          `${address}: the storage overwrites a file although it was asked not to (If-None-Match), so that two runs could lose activities: archive into a folder, or into another storage`,
        )
    },
    list: async () =>
      answered(await storage.list(folder), address).keys.flatMap((key) =>
        key.startsWith(folder) ? [key.slice(folder.length)] : [],
      ),
    open: async (name) => {
      const key = `${folder}${name}`
      const path = pathOf(name)
      const looked = await storage.look(key)
      if ('trouble' in looked && looked.trouble === 'noObject') return undefined
      const { size, tag } = answered(looked, path)
      return { path, size, read: (range) => bytesOf(storage, { key, tag, path }, range) }
    },
    write: async (name, bytes) => {
      if (await write(name, bytes)) return
      throw new CopyError(
        `${pathOf(name)} was written in the meantime, by another run or by an attempt of this one whose answer was lost: repeat the command when no other run is active`,
      )
    },
    // A storage that has answered has stored the file.
    settle: async () => {},
  }
}

/** Reads in ranges, so that a broken transfer can be repeated, and no answer is longer than requested. */
async function* bytesOf(
  storage: Pick<BucketStorage, 'read'>,
  { path, ...object }: { readonly key: string; readonly tag: string; readonly path: string },
  { start, end }: ByteRange,
): ReturnType<StoredFile['read']> & AsyncGenerator<Uint8Array> {
  for (let from = start; from < end; from += RANGE_BYTES_MAX) {
    const range = { start: from, end: Math.min(end, from + RANGE_BYTES_MAX) }
    yield answered(await storage.read({ ...object, ...range }), path).bytes
  }
}

async function* marker(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(WRITE_ONCE_TEXT)
}

/** What is wrong with the object itself, and not with the way to it. */
const OF_OBJECTS: readonly StorageTrouble['trouble'][] = [
  'noObject',
  'conditionFailed',
  'tooLarge',
  'wrongAnswer',
]

function errorOf({ trouble }: StorageTrouble, text: string): CopyError {
  if (trouble === 'unreachable') return new StorageUnreachable(text)
  return OF_OBJECTS.includes(trouble) ? new CopyError(text) : new StorageRefused(text)
}

function answered<T extends object>(answer: T | StorageTrouble, path: string): Exclude<T, StorageTrouble> {
  if ('trouble' in answer) {
    throw errorOf(answer, storageTroubleText(answer, path))
  }
  // Any result except a trouble is the answer.
  return answer as Exclude<T, StorageTrouble>
}
