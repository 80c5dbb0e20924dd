import { blockOfRows } from './block-rows.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import {
  type ArchiveContent,
  type ArchiveEntry,
  ArchiveKinds,
  contentOfRow,
  ENTRIES_OF_A_BLOCK,
  joinedContent,
} from './archive-entry.ts'

/** Writes a block after all earlier ones; returns its position. */
type WriteBlock = (kind: 'rows' | 'entries', bytes: Buffer) => Promise<Pick<ArchiveEntry, 'at' | 'bytes'>>

const ROWS_OF_A_BLOCK = 64
const CHARACTERS_OF_A_BLOCK = 128 * 1024

/**
 * Cuts rows into blocks, names these blocks in blocks of entries, and so on, until one entry covers all. Memory holds
 * at most one block of entries on each level, regardless of the number of rows.
 */
export class ArchiveTree {
  readonly #write: WriteBlock
  readonly #kinds = new ArchiveKinds()
  readonly #levels: ArchiveEntry[][] = []
  #rows: (readonly unknown[])[] = []
  #contents: ArchiveContent[] = []
  #characters = 0

  constructor(write: WriteBlock) {
    this.#write = write
  }

  get kinds(): ArchiveKinds['kinds'] {
    return this.#kinds.kinds
  }

  /** @param values      of the row, in the order of its fields @param characters  their length */
  async add(row: ActivityRow, values: readonly unknown[], characters: number): Promise<void> {
    if (this.#rows.length >= ROWS_OF_A_BLOCK || this.#characters + characters > CHARACTERS_OF_A_BLOCK)
      await this.#endRows()
    this.#rows.push(values)
    this.#contents.push(contentOfRow(row, this.#kinds))
    this.#characters += characters
  }

  /** @returns the entry over all rows */
  async end(): Promise<ArchiveEntry> {
    await this.#endRows()
    for (let level = 0; level < this.#levels.length; level++) {
      const isTop = level === this.#levels.length - 1
      const [only, ...others] = this.#levels[level] ?? []
      if (isTop && only !== undefined && others.length === 0) return only
      await this.#endEntries(level)
    }
    throw new Error('an archive has rows')
  }

  async #endRows(): Promise<void> {
    const content = joinedContent(this.#contents)
    if (content === undefined) return
    const place = await this.#write('rows', blockOfRows(this.#rows))
    this.#rows = []
    this.#contents = []
    this.#characters = 0
    await this.#addEntry({ level: 0, ...place, ...content })
  }

  async #addEntry(entry: ArchiveEntry): Promise<void> {
    const entries = this.#levels[entry.level] ?? []
    this.#levels[entry.level] = entries
    if (entries.length >= ENTRIES_OF_A_BLOCK) await this.#endEntries(entry.level)
    this.#levels[entry.level]?.push(entry)
  }

  async #endEntries(level: number): Promise<void> {
    const entries = this.#levels[level] ?? []
    const content = joinedContent(entries)
    if (content === undefined) return
    this.#levels[level] = []
    const place = await this.#write('entries', Buffer.from(JSON.stringify(entries)))
    await this.#addEntry({ level: level + 1, ...place, ...content })
  }
}
