import { hash } from 'node:crypto'
import { asBuffer } from '../../trusted/base/bytes.ts'
import type { DirectoryEntry } from '../../trusted/catalogue/unit.ts'
import { AUDIT } from '../store/audit-target.ts'
import { COUNTED } from '../store/quotas/counts.ts'
import { LAST_USED } from '../store/last-used-entry.ts'

export type Index = 'claims' | 'directory'

/**
 * Compares the index rows that there are with those that there have to be, in whatever order both come, and without
 * keeping either. Each row is hashed with a salt, and falls into one of some thousand buckets by its hash; what has to
 * be is added to the bucket, and what is there is taken away. Where all buckets are zero, both are the same rows.
 *
 * @param salt  unknown to those who can write rows: they could choose rows that cancel each other out
 */
export class IndexSums {
  readonly salt: string
  readonly #sums: Uint32Array

  constructor(salt: string, sums: Uint32Array = new Uint32Array(BUCKETS * WORDS)) {
    this.salt = salt
    this.#sums = sums
  }

  expect(index: Index, entry: DirectoryEntry): void {
    this.#count(index, entry, 1)
  }

  found(index: Index, entry: DirectoryEntry): void {
    if (!outlivesItsObject(index, entry)) this.#count(index, entry, -1)
  }

  bucketOf(index: Index, entry: DirectoryEntry): number {
    return this.#digest(index, entry).readUInt32LE(4 * WORDS) % BUCKETS
  }

  /** The buckets in which something is missing, or is too much. */
  unequal(): ReadonlySet<number> {
    const buckets = new Set<number>()
    for (let at = 0; at < this.#sums.length; at++)
      if (this.#sums[at] !== 0) buckets.add(Math.floor(at / WORDS))
    return buckets
  }

  toText(): string {
    return Buffer.from(this.#sums.buffer, this.#sums.byteOffset, this.#sums.byteLength).toString('base64')
  }

  /** @returns undefined where the text is none that `toText` has made */
  static fromText(salt: string, text: string): IndexSums | undefined {
    const bytes = Buffer.from(text, 'base64')
    return bytes.length === BUCKETS * WORDS * 4
      ? new IndexSums(salt, new Uint32Array(new Uint8Array(bytes).buffer))
      : undefined
  }

  #count(index: Index, entry: DirectoryEntry, by: 1 | -1): void {
    const digest = this.#digest(index, entry)
    const first = (digest.readUInt32LE(4 * WORDS) % BUCKETS) * WORDS
    for (let word = 0; word < WORDS; word++) {
      const at = first + word
      this.#sums[at] = (this.#sums[at] ?? 0) + by * digest.readUInt32LE(4 * word)
    }
  }

  #digest(index: Index, { scope, kind, value, target }: DirectoryEntry): Buffer {
    return asBuffer(hash('sha256', JSON.stringify([this.salt, index, scope, kind, value, target]), 'buffer'))
  }
}

/**
 * Rows that may stand although nothing leads to them any more: the claim of a passkey's registration, which is never
 * given back, and the entries of objects that are swept away when they expire, and what the audit stream is told by,
 * which is the operator's. On which day a credential was used last is the host's to note, and so is what organizations
 * have used of their quotas.
 */
export function outlivesItsObject(index: Index, { scope, kind }: DirectoryEntry): boolean {
  if (index === 'claims') return scope === 'everywhere' || scope === COUNTED.scope
  return PASSING_KINDS.has(kind) || scope === AUDIT.scope
}

const PASSING_KINDS: ReadonlySet<string> = new Set(['MAIL_TO', 'OTP', LAST_USED])

/**
 * Entries that an earlier version did not write. Data of before has them from the next amendment of the charter on, or
 * never, so that nothing can be told from their absence.
 */
export function mayBeAbsent(index: Index, { kind }: DirectoryEntry): boolean {
  return index === 'directory' && LATER_KINDS.has(kind)
}

const LATER_KINDS: ReadonlySet<string> = new Set(['SOLE_PUBLIC_KEY', 'ACCOUNT_PUBLIC_KEY'])

const BUCKETS = 4_096
/** 128 bits of each hash. */
const WORDS = 4
