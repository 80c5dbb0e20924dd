import { Readable } from 'node:stream'
// The whole module is imported: Node 22.13 lacks some names, and would not load the file.
import * as zlib from 'node:zlib'
import type { Vault } from '../../protocol/vault.ts'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { isPlain } from '../../trusted/base/plain.ts'
import { type Table, tables } from '../store/tables.ts'
import { ARCHIVE_FORMAT } from './archives/archive-file.ts'
import { openArchive } from './archives/read-archive.ts'
import { checkBeginning, checkedManifest } from './checked-copy.ts'
import { decrypted } from './chunk-cipher.ts'
import { CopyError, damaged } from './copy-error.ts'
import { notOpenedAtFirst } from './not-opened.ts'
import {
  type CopyBeginning,
  copyBeginning,
  copyEnd,
  type CopyHeader,
  type CopyManifest,
} from './copy-file.ts'
import { readHeader } from './copy-header.ts'
import { openCopyKey } from './copy-key.ts'
import type { OpenedCopy } from './opened-copy.ts'
import { pageAfter, type RowPage, type RowSource } from './row-source.ts'
import type { StoredFile } from './stored-file.ts'
import { TableDigests } from './table-digests.ts'

/**
 * Opens a backup far enough to know that its key is right.
 *
 * @param schema  the newest step that this version knows; a newer backup is refused
 * @throws CopyError
 */
export async function openCopy(
  file: StoredFile,
  vault: Pick<Vault, 'copyKey' | 'checkRootProof'>,
  { identities, schema }: { readonly identities: readonly string[]; readonly schema: number },
): Promise<OpenedCopy> {
  const read = await readHeader(file)
  if (read.header.format === ARCHIVE_FORMAT)
    return await openArchive(file, read, vault, { identities, schema })
  const { header, text, id } = read
  const fileKey = await openCopyKey(vault, header.key, identities)
  const lines = () => linesOf(file, { fileKey, header: text, compression: header.compression })
  const reading = lines()
  const first = await reading.next().catch((error: unknown) => {
    throw notOpenedAtFirst(error, header.key)
  })
  await reading.return(undefined)
  const beginning = jsonIn(first.value ?? '')
  if (!isPlain(copyBeginning, beginning)) throw damaged('its beginning cannot be read')
  checkBeginning(beginning, schema)
  return {
    id,
    beginning,
    pages: () => pagesOf(lines(), beginning, vault),
  }
}

/** The rows of a backup. To reach a position, all rows before it are read, since none can be skipped. */
export function copySource(copy: OpenedCopy): RowSource {
  return {
    pages: async function* (from) {
      for await (const page of copy.pages()) {
        const rest = from === undefined ? page : pageAfter(page, from)
        if (rest.rows.length > 0) yield rest
      }
    },
  }
}

async function* linesOf(
  { size, read }: StoredFile,
  {
    fileKey,
    header,
    compression,
  }: {
    readonly fileKey: Uint8Array
    readonly header: string
    readonly compression: CopyHeader['compression']
  },
): AsyncGenerator<string, undefined> {
  const sealed = read({ start: Buffer.byteLength(header), end: size })
  const chunks = Readable.from(decrypted(sealed, { fileKey, header }), { objectMode: false })
  const decompress = compression === 'zstd' ? zlib.createZstdDecompress() : zlib.createGunzip()
  // An earlier failure also fails the later parts.
  chunks.on('error', (error) => decompress.destroy(error))
  try {
    let rest: Buffer[] = []
    let restBytes = 0
    for await (const piece of chunks.pipe(decompress) as AsyncIterable<Buffer>) {
      let from = 0
      for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
        rest.push(piece.subarray(from, end))
        yield Buffer.concat(rest).toString('utf8')
        rest = []
        restBytes = 0
        from = end + 1
      }
      if (from === piece.length) continue
      rest.push(piece.subarray(from))
      restBytes += piece.length - from
      if (restBytes > LINE_BYTES_MAX) throw damaged('a line of it has no end')
    }
    if (rest.length > 0) throw damaged('it ends within a line')
  } catch (error) {
    throw error instanceof CopyError || isErrno(error) ? error : damaged(String(error))
  } finally {
    chunks.destroy()
  }
}

/** Longer than any row. */
const LINE_BYTES_MAX = 256 * 1024 * 1024

async function* pagesOf(
  lines: AsyncGenerator<string, undefined>,
  beginning: CopyBeginning,
  vault: Pick<Vault, 'checkRootProof'>,
): AsyncGenerator<RowPage, CopyManifest> {
  const digests = new TableDigests()
  let table: Table | undefined
  let rows: object[] = []
  let characters = 0
  const page = (): RowPage => {
    // The receiver of the rows checks each value: the vault, or the database by the types of its columns.
    const whole = { table, rows } as RowPage
    digests.add(whole)
    rows = []
    characters = 0
    return whole
  }
  await lines.next()
  let end: unknown
  for await (const line of lines) {
    if (end !== undefined) throw damaged('it goes on behind its end')
    const value = jsonIn(line)
    if (!Array.isArray(value)) end = value
    else if (value.length === 1) {
      if (rows.length > 0) yield page()
      table = tableNamed(value[0])
    } else {
      if (table === undefined) throw damaged('a row of it is of no table')
      rows.push(rowOf(beginning.fields[table], value))
      characters += line.length
      if (rows.length >= PAGE_ROWS_MAX || characters >= PAGE_CHARACTERS_MAX) yield page()
    }
  }
  if (rows.length > 0) yield page()
  if (!isPlain(copyEnd, end)) throw damaged('it has no end')
  return await checkedManifest(end, { digests, beginning }, vault)
}

const PAGE_ROWS_MAX = 500
const PAGE_CHARACTERS_MAX = 1024 * 1024

function tableNamed(name: unknown): Table {
  if (typeof name !== 'string' || !Object.hasOwn(tables, name))
    throw damaged('it has a table that is not known')
  // It is one of their names.
  return name as Table
}

function rowOf(fields: readonly string[], values: readonly unknown[]): object {
  if (values.length !== fields.length) throw damaged('a row of it has other columns')
  const row: { [field: string]: unknown } = {}
  for (const [at, field] of fields.entries()) row[field] = values[at]
  return row
}

function isErrno(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
