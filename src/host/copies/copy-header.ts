import { createHash } from 'node:crypto'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { isPlain } from '../../trusted/base/plain.ts'
import { CopyError } from './copy-error.ts'
import { copyHeader, type CopyHeader } from './copy-file.ts'
import { readRange } from './read-range.ts'
import type { StoredFile } from './stored-file.ts'
import { hasZstd } from './zstd.ts'

export type ReadHeader = {
  readonly header: CopyHeader
  /** The exact bytes, with the line feed. */
  readonly text: string
  /** A unique id of this file. */
  readonly id: string
}

/** @throws CopyError unless the file begins as a backup or an archive */
export async function readHeader(file: StoredFile): Promise<ReadHeader> {
  const bytes = await readRange(file, { start: 0, end: Math.min(file.size, HEADER_BYTES_MAX) })
  const text = bytes.toString('utf8', 0, bytes.indexOf('\n') + 1)
  const header = jsonIn(text)
  if (!isPlain(copyHeader, header))
    throw new CopyError(`${file.path} is not a backup of Claviger, or its beginning is damaged`)
  if (header.compression === 'zstd' && !hasZstd)
    throw new CopyError(`${file.path} is compressed with zstd: Node 22.15 or later reads it, or Node 24`)
  return { header, text, id: createHash('sha256').update(text).digest('hex') }
}

const HEADER_BYTES_MAX = 128 * 1024
