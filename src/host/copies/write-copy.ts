import { pipeline } from 'node:stream/promises'
// The whole module is imported: Node 22.13 lacks some names, and would not load the file.
import * as zlib from 'node:zlib'
import type { Vault } from '../../protocol/vault.ts'
import { encrypted } from './chunk-cipher.ts'
import {
  COPY_FORMAT,
  type CopyHeader,
  type CopyManifest,
  fieldsOfTables,
  manifestChallenge,
} from './copy-file.ts'
import { newCopyKey } from './copy-key.ts'
import type { RowPage, RowSource } from './row-source.ts'
import { TableDigests } from './table-digests.ts'
import { hasZstd } from './zstd.ts'

type About = Omit<CopyManifest, 'tables'>

/**
 * Writes all rows of a source into a file, row by row with compression and encryption, followed by the manifest.
 *
 * @param write   writes the bytes of the file to their place
 * @param paused  called with each page that has been read
 */
export async function writeCopy(
  source: RowSource,
  vault: Pick<Vault, 'copyKey' | 'proveRoot'>,
  {
    write,
    recipients,
    randomBytes,
    about,
    paused,
  }: {
    readonly write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>
    readonly recipients: readonly string[]
    readonly randomBytes: (length: number) => Uint8Array
    readonly about: About
    readonly paused: (page: RowPage) => void
  },
): Promise<CopyManifest> {
  const { fileKey, key } = await newCopyKey(vault, { recipients, randomBytes })
  const compression = hasZstd ? 'zstd' : 'gzip'
  const header = `${JSON.stringify({ format: COPY_FORMAT, compression, key } satisfies CopyHeader)}\n`
  const digests = new TableDigests()
  let manifest: CopyManifest | undefined

  const lines = async function* (): AsyncGenerator<string> {
    yield `${JSON.stringify({ ...about, fields: fieldsOfTables() })}\n`
    for await (const page of source.pages()) {
      yield `${JSON.stringify([page.table])}\n${digests.add(page)}`
      paused(page)
    }
    manifest = { ...about, tables: digests.result() }
    const text = JSON.stringify(manifest)
    const proof = await vault.proveRoot(manifestChallenge(text))
    yield `${JSON.stringify({ manifest: text, proof })}\n`
  }
  const withHeader = async function* (payload: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield Buffer.from(header)
    yield* encrypted(payload, { fileKey, header })
  }
  const compress =
    compression === 'zstd'
      ? zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } })
      : zlib.createGzip({ level: 1 })
  await pipeline(lines, compress, withHeader, write)
  if (manifest === undefined) throw new Error('a backup ends with its manifest')
  return manifest
}
