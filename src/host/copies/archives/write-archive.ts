import type { Vault } from '../../../protocol/vault.ts'
import { ROOT_VERSION_MAX, rootVersionOf } from '../../../trusted/vault/keys/seal-text.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import type { ArchiveName } from '../archive-note.ts'
import { CopyError } from '../copy-error.ts'
import { type CopyHeader, type CopyManifest, fieldsOfTables, manifestChallenge } from '../copy-file.ts'
import { newCopyKey } from '../copy-key.ts'
import { TableDigests } from '../table-digests.ts'
import { hasZstd } from '../zstd.ts'
import { type ArchiveBlocks, archiveBlocks, type BlockKind } from './archive-blocks.ts'
import { ARCHIVE_FORMAT, type ArchiveEnd, LENGTH_BYTES } from './archive-file.ts'
import { ArchiveTree } from './archive-tree.ts'

/**
 * Writes activities into a file of blocks, each of which can be read on its own.
 *
 * @param pages  in the order of organization and id, as in the store; at least one row
 * @param write  writes the bytes of the file to their place
 */
export async function writeArchive(
  pages: AsyncIterable<readonly ActivityRow[]>,
  vault: Pick<Vault, 'copyKey' | 'proveRoot'>,
  {
    write,
    recipients,
    randomBytes,
    about,
  }: {
    readonly write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>
    readonly recipients: readonly string[]
    readonly randomBytes: (length: number) => Uint8Array
    readonly about: Omit<CopyManifest, 'tables' | 'archive'> & { readonly archive: ArchiveName }
  },
): Promise<CopyManifest> {
  const { fileKey, key } = await newCopyKey(vault, { recipients, randomBytes })
  const compression = hasZstd ? 'zstd' : 'gzip'
  const header = `${JSON.stringify({ format: ARCHIVE_FORMAT, compression, key } satisfies CopyHeader)}\n`
  const output = new Output(header, archiveBlocks({ fileKey, header, compression }))
  let manifest: CopyManifest | undefined
  const bytes = async function* (): AsyncGenerator<Buffer> {
    const digests = new TableDigests()
    const fields = fieldsOfTables().activities as readonly (keyof ActivityRow)[]
    const tree = new ArchiveTree((kind, block) => output.write(kind, block))
    let rootVersion = key.rootVersion
    for await (const rows of pages) {
      for (const row of rows) {
        rootVersion = Math.min(rootVersion ?? ROOT_VERSION_MAX, sealVersion(row, key))
        const line = digests.add({ table: 'activities', rows: [row] })
        await tree.add(
          row,
          fields.map((field) => row[field]),
          line.length,
        )
      }
      yield* output.taken()
    }
    const root = await tree.end()
    const { leastId, greatestId } = root
    const archive = { ...about.archive, leastId, greatestId, rootVersion: rootVersion ?? ROOT_VERSION_MAX }
    manifest = { ...about, archive, tables: digests.result() }
    const text = JSON.stringify(manifest)
    const proof = await vault.proveRoot(manifestChallenge(text))
    const { kinds } = tree
    const end = { fields, kinds, root, manifest: text, proof } satisfies ArchiveEnd
    const { bytes: length } = await output.write('end', Buffer.from(JSON.stringify(end)))
    yield* output.taken()
    yield lengthIn4Bytes(length)
  }
  await write(bytes())
  if (manifest === undefined) throw new Error('an archive ends with its manifest')
  return manifest
}

/**
 * The version of the root key under which a row is sealed.
 *
 * @throws CopyError if this version may be retired before that of the file
 */
function sealVersion(
  { organizationId, activityId, seal }: ActivityRow,
  { rootVersion = 1 }: CopyHeader['key'],
): number {
  const version = rootVersionOf(seal) ?? 0
  if (version >= rootVersion) return version
  throw new CopyError(
    `activity ${activityId} of organization ${organizationId} is still sealed under version ${version} of the root key, and the archive would be under version ${rootVersion}: claviger root-key reseal first`,
  )
}

function lengthIn4Bytes(length: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES)
  bytes.writeUInt32BE(length)
  return bytes
}

/** Consecutive blocks, the first after the header. */
class Output {
  readonly #blocks: ArchiveBlocks
  #length: number
  #pieces: Buffer[]

  constructor(header: string, blocks: ArchiveBlocks) {
    this.#blocks = blocks
    this.#pieces = [Buffer.from(header)]
    this.#length = Buffer.byteLength(header)
  }

  async write(kind: BlockKind, block: Buffer): Promise<{ readonly at: number; readonly bytes: number }> {
    const at = this.#length
    const sealed = await this.#blocks.seal({ kind, at }, block)
    this.#pieces.push(sealed)
    this.#length += sealed.length
    return { at, bytes: sealed.length }
  }

  /** The bytes written since the last flush. */
  taken(): readonly Buffer[] {
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }
}
