import type { ByteRange, StoredFile } from './stored-file.ts'

/** The bytes of a range that is short enough for memory. */
export async function readRange({ read }: StoredFile, range: ByteRange): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of read(range)) pieces.push(piece)
  return Buffer.concat(pieces)
}
