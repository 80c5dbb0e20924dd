import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { isPlain } from '../../trusted/base/plain.ts'
import type { Vault } from '../../protocol/vault.ts'
import { type Table, tables } from '../store/tables.ts'
import { decrypted } from './chunk-cipher.ts'
import { checkOrigin } from './check-origin.ts'
import { CopyError } from './copy-error.ts'
import {
  type CopyBeginning,
  copyBeginning,
  copyEnd,
  copyHeader,
  type CopyHeader,
  type CopyManifest,
  copyManifest,
  fieldsOfTables,
  manifestChallenge,
} from './copy-file.ts'
import { openCopyKey } from './copy-key.ts'
import { pageAfter, type RowPage, type RowSource } from './row-source.ts'
import { TableDigests } from './table-digests.ts'

/** A backup that has been opened: of its own pages and of its end. Reading it to its end checks all of it. */
export type OpenedCopy = {
  /** Names this backup: no other one has it. */
  readonly id: string
  readonly beginning: CopyBeginning
  /** Its rows. @throws CopyError at whatever is damaged, and at the end where its rows are not those of its manifest */
  readonly pages: () => AsyncGenerator<RowPage, CopyManifest>
}

/**
 * Opens a backup, so far that its key is known to be right.
 *
 * @param schema  the newest step that this version knows; a backup of a newer one is refused
 * @throws CopyError
 */
export async function openCopy(
  path: string,
  vault: Pick<Vault, 'copyKey' | 'checkRootProof'>,
  { identities, schema }: { readonly identities: readonly string[]; readonly schema: number },
): Promise<OpenedCopy> {
  const { header, text } = await headerOf(path)
  const fileKey = await openCopyKey(vault, header.key, identities)
  const lines = () => linesOf(path, { fileKey, header: text, compression: header.compression })
  const reading = lines()
  const first = await reading.next()
  await reading.return(undefined)
  const beginning = parsed(first.value ?? '')
  if (!isPlain(copyBeginning, beginning)) throw damaged('its beginning cannot be read')
  if (beginning.schema > schema)
    throw new CopyError(
      `the backup was made by a newer version of Claviger (${beginning.claviger}): restore it with that version or a later one`,
    )
  checkFields(beginning)
  return {
    id: createHash('sha256').update(text).digest('hex'),
    beginning,
    pages: () => pagesOf(lines(), beginning, vault),
  }
}

/** The rows of a backup. Reading goes through all that stands before a position, since nothing in it can be skipped. */
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

async function headerOf(path: string): Promise<{ readonly header: CopyHeader; readonly text: string }> {
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0)
    const end = buffer.subarray(0, bytesRead).indexOf('\n')
    const text = buffer.toString('utf8', 0, end + 1)
    const header = parsed(text)
    if (!isPlain(copyHeader, header))
      throw new CopyError(`${path} is no backup of Claviger, or its beginning is damaged`)
    return { header, text }
  } finally {
    await file.close()
  }
}

const HEADER_BYTES_MAX = 128 * 1024

async function* linesOf(
  path: string,
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
  const file = createReadStream(path, { start: Buffer.byteLength(header), highWaterMark: 1024 * 1024 })
  const chunks = Readable.from(decrypted(file, { fileKey, header }), { objectMode: false })
  const decompress = compression === 'zstd' ? createZstdDecompress() : createGunzip()
  // What fails before it fails what comes after it.
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
    file.destroy()
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
    // Each value is checked by whoever takes the rows: the vault, or the database by the types of its columns.
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
    const value = parsed(line)
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

/** The fields of a table are those of this version: an older copy of the schema has none yet that this one lacks. */
function checkFields({ fields }: CopyBeginning): void {
  // The tables have these names and no others.
  for (const [table, own] of Object.entries(fieldsOfTables()))
    if (JSON.stringify(fields[table as Table]) !== JSON.stringify(own))
      throw damaged(`its table ${table} has other columns than this version knows`)
}

async function checkedManifest(
  end: unknown,
  { digests, beginning }: { readonly digests: TableDigests; readonly beginning: CopyBeginning },
  vault: Pick<Vault, 'checkRootProof'>,
): Promise<CopyManifest> {
  if (!isPlain(copyEnd, end)) throw damaged('it has no end')
  const { manifest: text, proof } = end
  const sha256 = createHash('sha256').update(text).digest('hex')
  checkOrigin(await vault.checkRootProof({ challenge: manifestChallenge(sha256), proof }))
  const manifest = parsed(text)
  if (!isPlain(copyManifest, manifest)) throw damaged('its manifest cannot be read')
  const { lastJob, copiedAt, organizationId, archive } = manifest
  const isOther = JSON.stringify(digests.result()) !== JSON.stringify(manifest.tables)
  if (
    isOther ||
    lastJob !== beginning.lastJob ||
    copiedAt !== beginning.copiedAt ||
    organizationId !== beginning.organizationId ||
    JSON.stringify(archive) !== JSON.stringify(beginning.archive)
  )
    throw damaged('its rows are not those of its manifest')
  return manifest
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function damaged(why: string): CopyError {
  return new CopyError(`the backup is damaged: ${why}`)
}

function isErrno(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
