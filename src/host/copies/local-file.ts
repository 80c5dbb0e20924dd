import { createReadStream, createWriteStream, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { CopyError } from './copy-error.ts'
import type { ByteRange, StoredFile } from './stored-file.ts'

/** A file of this machine. @throws CopyError for a folder; an error of the system if there is none */
export async function localFile(path: string): Promise<StoredFile> {
  const found = await stat(path)
  if (found.isDirectory()) throw new CopyError(`${path} is a folder: name a file`)
  const { size } = found
  return { path, size, read: (range) => bytesOf(path, range) }
}

async function* bytesOf(path: string, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  // The end of a stream is its last byte.
  if (start === end) return
  let left = end - start
  const stream = createReadStream(path, { start, end: end - 1, highWaterMark: 1024 * 1024 })
  for await (const piece of stream as AsyncIterable<Buffer>) {
    left -= piece.length
    yield piece
  }
  if (left > 0) throw new CopyError(`${path} has become shorter while it was read`)
}

/**
 * Makes a file that only its owner can read, and syncs it to the disk.
 *
 * @throws an error of the system if one exists
 */
export async function writeLocalFile(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  // Opened here: a stream opens its file later, maybe after the caller has given up and removed the file.
  const fd = openSync(path, 'wx', 0o600)
  await pipeline(bytes, createWriteStream(path, { fd, flush: true }))
}
