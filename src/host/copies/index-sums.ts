import { hash } from 'node:crypto'
import { asBuffer } from '../../trusted/base/bytes.ts'
import type { DirectoryEntry } from '../../trusted/catalogue/unit.ts'
import { AUDIT } from '../store/audit-target.ts'
import { COUNTED } from '../store/quotas/counts.ts'
import { LAST_USED } from '../store/last-used-entry.ts'

export type Index = 'claims' | 'directory'

/**
 * Compares the present index rows with the required ones, in any order of both, without holding either. Each row is
 * hashed with a salt, and its hash selects one of some thousand buckets. A required row is added to the bucket, and a
 * present row is subtracted. If all buckets are zero, both sets of rows are the same.
 *
 * @param salt  unknown to writers of rows: they could choose rows that cancel each other out
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

  /** The buckets with missing or surplus rows. */
  unequal(): ReadonlySet<number> {
    const buckets = new Set<number>()
    for (let at = 0; at < this.#sums.length; at++)
      if (this.#sums[at] !== 0) buckets.add(Math.floor(at / WORDS))
    return buckets
  }

  toText(): string {
    return Buffer.from(this.#sums.buffer, this.#sums.byteOffset, this.#sums.byteLength).toString('base64')
  }

  /** @returns undefined unless `toText` has made this text */
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
 * Rows that may remain although no object requires them: the permanent claim of a passkey's registration, the entries
 * of objects that are swept away when they expire, and the operator's entry for the audit stream. The host itself notes
 * the day of the last use of credentials, and the use of quotas.
 */
export function outlivesItsObject(index: Index, { scope, kind }: DirectoryEntry): boolean {
  if (index === 'claims') return scope === 'everywhere' || scope === COUNTED.scope
  return PASSING_KINDS.has(kind) || scope === AUDIT.scope
}

const PASSING_KINDS: ReadonlySet<string> = new Set(['MAIL_TO', 'OTP', LAST_USED])

/**
 * Entries that earlier versions did not write. Older data gets them with the next amendment of the charter, or never,
 * so their absence proves nothing.
 */
export function mayBeAbsent(index: Index, { kind }: DirectoryEntry): boolean {
  return index === 'directory' && LATER_KINDS.has(kind)
}

const LATER_KINDS: ReadonlySet<string> = new Set(['SOLE_PUBLIC_KEY', 'ACCOUNT_PUBLIC_KEY'])

const BUCKETS = 4_096
/** 128 bits of each hash. */
const WORDS = 4
