import { jsonIn } from '../../../trusted/base/json-in.ts'
import { isPlain } from '../../../trusted/base/plain.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { CopyError } from '../copy-error.ts'
import type { CopyHeader } from '../copy-file.ts'
import { readRange } from '../read-range.ts'
import type { StoredFile } from '../stored-file.ts'
import { type ArchiveBlocks, archiveBlocks, type BlockKind } from './archive-blocks.ts'
import { archiveEntries, type ArchiveEntry } from './archive-entry.ts'
import { rowsOfBlock } from './block-rows.ts'
import { type ArchiveEnd, archiveEnd, LENGTH_BYTES } from './archive-file.ts'

/** An archive whose end was read; all other blocks are read one by one. */
export type ArchiveReader = {
  readonly end: ArchiveEnd
  /** @throws CopyError where the block is damaged */
  readonly entries: (entry: ArchiveEntry) => Promise<readonly ArchiveEntry[]>
  /** The receiver of the rows checks each value. @throws CopyError where the block is damaged */
  readonly rows: (entry: ArchiveEntry) => Promise<readonly ActivityRow[]>
}

/** @throws CopyError if the end is damaged, or belongs to another file */
export async function archiveReader(
  file: StoredFile,
  {
    fileKey,
    header,
    compression,
  }: {
    readonly fileKey: Uint8Array
    readonly header: string
    readonly compression: CopyHeader['compression']
  },
): Promise<ArchiveReader> {
  const blocks = archiveBlocks({ fileKey, header, compression })
  const end = await endOf(file, blocks)
  const bytesOf = async (kind: BlockKind, { at, bytes }: ArchiveEntry): Promise<Buffer> =>
    await blocks.open({ kind, at }, await readRange(file, { start: at, end: at + bytes }))
  return {
    end,
    entries: async (entry) => {
      const entries = jsonIn((await bytesOf('entries', entry)).toString('utf8'))
      if (!isPlain(archiveEntries, entries)) throw damaged(file)
      return entries
    },
    rows: async (entry) => {
      const rows = rowsOfBlock(await bytesOf('rows', entry))
      if (rows === undefined) throw damaged(file)
      return rows.map((values) => rowOf(values, end.fields, file))
    },
  }
}

/** The end of an archive of a hundred thousand activities, with its entries. */
const END_BYTES = 64 * 1024
/** Longer than any end: the length is read before it has been verified. */
const END_BYTES_MAX = 1024 * 1024

async function endOf(file: StoredFile, blocks: ArchiveBlocks): Promise<ArchiveEnd> {
  const { size } = file
  const from = Math.max(0, size - END_BYTES)
  const tail = await readRange(file, { start: from, end: size })
  const length = tail.length < LENGTH_BYTES ? 0 : tail.readUInt32BE(tail.length - LENGTH_BYTES)
  const at = size - LENGTH_BYTES - length
  if (length === 0 || length > END_BYTES_MAX || at <= 0) throw damaged(file)
  const sealed =
    at >= from
      ? tail.subarray(at - from, -LENGTH_BYTES)
      : await readRange(file, { start: at, end: size - LENGTH_BYTES })
  const end = jsonIn((await blocks.open({ kind: 'end', at }, sealed)).toString('utf8'))
  if (!isPlain(archiveEnd, end)) throw damaged(file)
  return end
}

function rowOf(values: readonly unknown[], fields: readonly string[], file: StoredFile): ActivityRow {
  if (values.length !== fields.length) throw damaged(file)
  // The row has the fields of an activity, according to the end of its file.
  return Object.fromEntries(fields.map((field, at) => [field, values[at]])) as ActivityRow
}

function damaged({ path }: StoredFile): CopyError {
  return new CopyError(`${path} is damaged: a part of it cannot be read`)
}
