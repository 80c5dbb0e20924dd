import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { asBuffer } from '../../trusted/base/bytes.ts'
import { NotOpened } from './not-opened.ts'

/**
 * Encrypts a stream in chunks, so that each end holds only one: AES-256-GCM, each chunk bound to its number and to
 * whether it is the last, as in STREAM (Hoang, Reyhanitabar, Rogaway, Vizár; 2015). A chunk that is changed, left out,
 * moved or taken from another file does not open, and neither does a file that ends early.
 *
 * @param fileKey  32 bytes, of this file alone
 * @param header   the bytes before the chunks; the key is bound to them
 */
export async function* encrypted(
  plaintext: AsyncIterable<Uint8Array>,
  { fileKey, header }: FileSecret,
): AsyncGenerator<Buffer> {
  const key = payloadKey(fileKey, header)
  const held = new Held()
  let index = 0
  for await (const piece of plaintext) {
    held.push(piece)
    // A chunk is the last if no bytes follow it.
    while (held.length > CHUNK_BYTES)
      yield sealed(key, held.take(CHUNK_BYTES), { index: index++, isLast: false })
  }
  yield sealed(key, held.take(held.length), { index, isLast: true })
}

/** @throws CopyError if a chunk does not open, or the last one is missing */
export async function* decrypted(
  ciphertext: AsyncIterable<Uint8Array>,
  { fileKey, header }: FileSecret,
): AsyncGenerator<Buffer> {
  const key = payloadKey(fileKey, header)
  const held = new Held()
  let index = 0
  for await (const piece of ciphertext) {
    held.push(piece)
    while (held.length > CHUNK_BYTES + TAG_BYTES)
      yield opened(key, held.take(CHUNK_BYTES + TAG_BYTES), { index: index++, isLast: false })
  }
  yield opened(key, held.take(held.length), { index, isLast: true })
}

type FileSecret = { readonly fileKey: Uint8Array; readonly header: string }
type Place = { readonly index: number; readonly isLast: boolean }

const CHUNK_BYTES = 256 * 1024
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

function payloadKey(fileKey: Uint8Array, header: string): Buffer {
  return Buffer.from(hkdfSync('sha256', fileKey, header, 'claviger backup payload 1', 32))
}

function nonceOf({ index, isLast }: Place): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(index, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function sealed(key: Uint8Array, plaintext: Uint8Array, place: Place): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(place))
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

function opened(key: Uint8Array, chunk: Buffer, place: Place): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, key, nonceOf(place), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(chunk.subarray(Math.max(0, chunk.length - TAG_BYTES)))
    const plaintext = decipher.update(chunk.subarray(0, Math.max(0, chunk.length - TAG_BYTES)))
    return Buffer.concat([plaintext, decipher.final()])
  } catch (error) {
    throw new NotOpened('backup', error)
  }
}

/** Bytes that have arrived and were not taken yet. */
class Held {
  #pieces: Buffer[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(asBuffer(piece))
    this.#length += piece.length
  }

  take(length: number): Buffer {
    const all = Buffer.concat(this.#pieces)
    this.#pieces = [all.subarray(length)]
    this.#length -= length
    return all.subarray(0, length)
  }
}
