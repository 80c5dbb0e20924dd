import type { Vault } from '../../../protocol/vault.ts'
import { isPlain } from '../../../trusted/base/plain.ts'
import { jsonIn } from '../../../trusted/base/json-in.ts'
import { type NotedArchive, archiveFileName, archiveText, notedArchive } from '../archive-note.ts'
import type { ArchivePlace } from '../archive-place.ts'
import { CopyError } from '../copy-error.ts'
import { copyManifest } from '../copy-file.ts'
import { readHeader } from '../copy-header.ts'
import { rootCopyKey } from '../copy-key.ts'
import type { Noted } from '../noted-archives.ts'
import type { StoredFile } from '../stored-file.ts'
import { type ArchiveReader, archiveReader } from './archive-reader.ts'
import { ARCHIVE_FORMAT } from './archive-file.ts'
import { ArchiveUnavailable } from './archive-unavailable.ts'

export type OpenedArchive = {
  /** The id of the file. */
  readonly file: string
  /** Within the place. */
  readonly name: string
  readonly reader: ArchiveReader
}

type Opening = { readonly value: string; readonly archive: Promise<OpenedArchive | undefined> }

/**
 * The opened archives: each is the one that the store has noted, and the vault has proven the note.
 *
 * Archives that cannot be opened here are left out: those encrypted to recipients of age, and those under a retired
 * version of the root key. A missing or replaced archive is an error.
 */
export class OpenArchives {
  readonly #vault: Pick<Vault, 'copyKey' | 'checkRootProof'>
  readonly #place: Pick<ArchivePlace, 'open' | 'address'>
  readonly #openings = new Map<string, Opening>()

  constructor({
    vault,
    place,
  }: {
    readonly vault: Pick<Vault, 'copyKey' | 'checkRootProof'>
    readonly place: Pick<ArchivePlace, 'open' | 'address'>
  }) {
    this.#vault = vault
    this.#place = place
  }

  /** @returns undefined if it cannot be opened here @throws ArchiveUnavailable, CopyError */
  async open(noted: Noted): Promise<OpenedArchive | undefined> {
    const name = archiveFileName(noted)
    const known = this.#openings.get(name)
    if (known?.value === noted.value) return await known.archive
    const archive = this.#opened(noted, name)
    const opening = { value: noted.value, archive }
    this.#openings.set(name, opening)
    let result: OpenedArchive | undefined
    try {
      result = await archive
    } finally {
      // An archive that did not open may open the next time.
      if (result === undefined && this.#openings.get(name) === opening) this.#openings.delete(name)
    }
    return result
  }

  /** @throws ArchiveUnavailable, CopyError */
  async read<T>({ name }: OpenedArchive, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      this.#openings.delete(name)
      throw error
    }
  }

  isOpen({ value, ...name }: Noted): boolean {
    return this.#openings.get(archiveFileName(name))?.value === value
  }

  forget(): void {
    this.#openings.clear()
  }

  async #opened(noted: Noted, name: string): Promise<OpenedArchive | undefined> {
    const where = `${name} in ${this.#place.address}`
    const origin = await this.#vault.checkRootProof({ challenge: archiveText(noted), proof: noted.proof })
    if (origin !== 'own') throw new CopyError(`the note of ${where} has no proof of this root key`)
    const file = await this.#fileOf(name, noted)
    const { header, text, id } = await readHeader(file)
    if (id !== noted.file || header.format !== ARCHIVE_FORMAT)
      throw new CopyError(`${where} is not the file that was noted`)
    const fileKey = await rootCopyKey(this.#vault, header.key)
    if (fileKey === undefined) return undefined
    const reader = await archiveReader(file, { fileKey, header: text, compression: header.compression })
    if (!isNoted(reader, noted)) throw new CopyError(`${where} is not the file that was noted`)
    return { file: id, name, reader }
  }

  async #fileOf(name: string, { activities }: NotedArchive): Promise<StoredFile> {
    const file = await available(`${name} cannot be looked for in ${this.#place.address}`, () =>
      this.#place.open(name),
    )
    if (file === undefined)
      throw new ArchiveUnavailable(
        `${activities} activities were archived in ${name}, and it is not in ${this.#place.address}`,
      )
    return {
      ...file,
      read: async function* (range) {
        try {
          yield* file.read(range)
        } catch (error) {
          throw new ArchiveUnavailable(`${file.path} cannot be read: ${String(error)}`, { cause: error })
        }
      },
    }
  }
}

async function available<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new ArchiveUnavailable(`${what}: ${String(error)}`, { cause: error })
  }
}

/**
 * Whether the end of the file agrees with its note. The rows were verified against this end when it was made, and the
 * end is encrypted under the file's key.
 */
function isNoted({ end }: ArchiveReader, noted: NotedArchive): boolean {
  const manifest = jsonIn(end.manifest)
  return (
    isPlain(copyManifest, manifest) && archiveText(notedArchive(noted.file, manifest)) === archiveText(noted)
  )
}
