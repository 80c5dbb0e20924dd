import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { promisify } from 'node:util'
// The whole module is imported: Node 22.13 lacks some names, and would not load the file.
import * as zlib from 'node:zlib'
import { NotOpened } from '../not-opened.ts'
import type { CopyHeader } from '../copy-file.ts'

/** The content of a block of an archive: rows, entries that name other blocks, or the end of the file. */
export type BlockKind = 'rows' | 'entries' | 'end'

export type ArchiveBlocks = {
  readonly seal: (place: BlockPlace, bytes: Buffer) => Promise<Buffer>
  /** @throws CopyError unless these bytes are a block of this kind, written at this position of this file */
  readonly open: (place: BlockPlace, sealed: Buffer) => Promise<Buffer>
}

type BlockPlace = {
  readonly kind: BlockKind
  /** The position of the block, in bytes from the beginning of the file. */
  readonly at: number
}

/**
 * The blocks of one archive, each compressed and encrypted separately: AES-256-GCM, bound to its kind and its position,
 * which never repeat within a file. Compression runs outside the main thread.
 *
 * @param fileKey  32 bytes, of this file alone
 * @param header   the bytes before the blocks; the key is bound to them
 */
export function archiveBlocks({
  fileKey,
  header,
  compression,
}: {
  readonly fileKey: Uint8Array
  readonly header: string
  readonly compression: CopyHeader['compression']
}): ArchiveBlocks {
  const key = Buffer.from(hkdfSync('sha256', fileKey, header, 'claviger archive blocks 1', 32))
  return {
    seal: async (place, bytes) => {
      const cipher = createCipheriv(CIPHER, key, nonceOf(place))
      const packed = await compress(bytes, compression)
      return Buffer.concat([cipher.update(packed), cipher.final(), cipher.getAuthTag()])
    },
    open: async (place, sealed) => {
      try {
        const packed = decrypted(key, place, sealed)
        return await decompress(packed, compression)
      } catch (error) {
        throw new NotOpened('archive', error)
      }
    },
  }
}

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16

const KIND_BYTES: { readonly [K in BlockKind]: number } = { rows: 1, entries: 2, end: 3 }

function nonceOf({ kind, at }: BlockPlace): Buffer {
  const nonce = Buffer.alloc(12)
  nonce[0] = KIND_BYTES[kind]
  nonce.writeUIntBE(at, 6, 6)
  return nonce
}

function decrypted(key: Uint8Array, place: BlockPlace, sealed: Buffer): Buffer {
  const length = Math.max(0, sealed.length - TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonceOf(place), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(length))
  return Buffer.concat([decipher.update(sealed.subarray(0, length)), decipher.final()])
}

/** Longer than any row. */
const BLOCK_BYTES_MAX = 256 * 1024 * 1024

async function compress(bytes: Buffer, compression: CopyHeader['compression']): Promise<Buffer> {
  return compression === 'zstd'
    ? await promisify(zlib.zstdCompress)(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } })
    : await promisify(zlib.gzip)(bytes, { level: 1 })
}

async function decompress(bytes: Buffer, compression: CopyHeader['compression']): Promise<Buffer> {
  const bounds = { maxOutputLength: BLOCK_BYTES_MAX }
  return compression === 'zstd'
    ? await promisify(zlib.zstdDecompress)(bytes, bounds)
    : await promisify(zlib.gunzip)(bytes, bounds)
}
