import { hash } from 'node:crypto'
import { Lru } from '../../trusted/base/lru.ts'
import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { compactRecord, digestsIn, expandRecord } from './record-form.ts'

/** A text that many records of an organization contain: a user's snapshot, or the basis of decisions. */
export type RecordText = {
  readonly organizationId: string
  readonly digest: string
  readonly body: string
}

/**
 * The store's knowledge of the texts outside its records. A text is stored separately when it occurs in an organization
 * for the second time, and a record names it only after it was read back from the store. So no record names a missing
 * text, even if a database changes or discards written rows.
 *
 * A digest is looked up only in the organization of the record.
 */
export class RecordTexts {
  readonly #known = new Lru<Known>(REMEMBERED_CHARACTERS_MAX, ({ body }) => body.length + OVERHEAD)
  readonly #last = new Lru<Known>(HINTS_REMEMBERED_MAX)
  readonly #read = new Lru<string>(REMEMBERED_CHARACTERS_MAX, (body) => body.length + OVERHEAD)
  #epoch = 0

  /** The form in which these records are stored, after `put` has stored their repeated texts. */
  async compact(
    rows: readonly ActivityRow[],
    put: (texts: readonly RecordText[]) => Promise<readonly RecordText[]>,
  ): Promise<readonly ActivityRow[]> {
    const wanted = new Map<string, RecordText>()
    const first = rows.map((row) => this.#compacted(row, wanted))
    if (wanted.size === 0) return first
    const epoch = this.#epoch
    const texts = inOrder([...wanted.values()])
    this.#stored(texts, await put(texts), epoch)
    return rows.map((row) => this.#compacted(row))
  }

  /** The same for one record, if the store answers at once. */
  compactNow(row: ActivityRow, put: (texts: readonly RecordText[]) => readonly RecordText[]): ActivityRow {
    const wanted = new Map<string, RecordText>()
    const first = this.#compacted(row, wanted)
    if (wanted.size === 0) return first
    const texts = [...wanted.values()]
    this.#stored(texts, put(texts), this.#epoch)
    return this.#compacted(row)
  }

  /** Stored texts may be missing now: a transaction was rolled back, or another server answers. */
  readonly forget = (): void => {
    this.#epoch += 1
  }

  #compacted(row: ActivityRow, wanted?: Map<string, RecordText>): ActivityRow {
    const { organizationId } = row
    return compactRecord(row, (body, hint) => {
      if (body.length < CHARACTERS_MIN || body.length > CHARACTERS_MAX) return undefined
      const known = this.#knownOf(organizationId, body, hint)
      // The second record with a text causes its separate storage.
      if (known === undefined) return undefined
      known.digest ??= digestOf(body)
      if (known.epoch === this.#epoch) return known.digest
      wanted?.set(organizationId + body, { organizationId, digest: known.digest, body })
      return undefined
    })
  }

  /** Usually it is the previous text with this hint: comparing two texts costs less than a lookup. */
  #knownOf(organizationId: string, body: string, hint: string): Known | undefined {
    const last = this.#last.get(organizationId + hint)
    if (last !== undefined && last.body === body) return last
    const key = organizationId + body
    const known = this.#known.get(key)
    if (known === undefined) this.#known.set(key, { body, digest: undefined, epoch: undefined })
    else this.#last.set(organizationId + hint, known)
    return known
  }

  #stored(wanted: readonly RecordText[], found: readonly RecordText[], epoch: number): void {
    const bodies = new Map(found.map((text) => [keyOf(text), text.body]))
    for (const { organizationId, digest, body } of wanted) {
      const known = this.#known.get(organizationId + body)
      if (known !== undefined && bodies.get(keyOf({ organizationId, digest })) === body) known.epoch = epoch
    }
  }

  /** The records as they were sealed. `load` reads texts, and leaves out missing ones. */
  async expand(
    stored: readonly ActivityRow[],
    load: (keys: readonly TextKey[]) => Promise<readonly RecordText[]>,
  ): Promise<readonly ActivityRow[]> {
    const missing = new Map<string, TextKey>()
    for (const row of stored)
      for (const digest of digestsIn(row)) {
        const key = { organizationId: row.organizationId, digest }
        if (this.#read.get(keyOf(key)) === undefined) missing.set(keyOf(key), key)
      }
    const loaded = new Map<string, string>()
    if (missing.size > 0)
      for (const text of await load([...missing.values()])) {
        loaded.set(keyOf(text), text.body)
        this.#remember(text)
      }
    return stored.map((row) => {
      const keyIn = (digest: string) => keyOf({ organizationId: row.organizationId, digest })
      return expandRecord(row, (digest) => this.#read.get(keyIn(digest)) ?? loaded.get(keyIn(digest)))
    })
  }

  /** The same for one record, if the store answers at once. */
  expandNow(stored: ActivityRow, load: (key: TextKey) => string | undefined): ActivityRow {
    return expandRecord(stored, (digest) => {
      const key = { organizationId: stored.organizationId, digest }
      const known = this.#read.get(keyOf(key))
      if (known !== undefined) return known
      const body = load(key)
      if (body !== undefined) this.#remember({ ...key, body })
      return body
    })
  }

  /** A text that was changed in the database is read again, until it is right. */
  #remember(text: RecordText): void {
    if (digestOf(text.body) === text.digest) this.#read.set(keyOf(text), text.body)
  }
}

type TextKey = Pick<RecordText, 'organizationId' | 'digest'>

type Known = { readonly body: string; digest: string | undefined; epoch: number | undefined }

/** A shorter text is hardly longer than its digest, and longer texts would make a page of records too long. */
const CHARACTERS_MIN = 100
const CHARACTERS_MAX = 16 * 1024
const REMEMBERED_CHARACTERS_MAX = 8 * 1024 * 1024
const OVERHEAD = 200
const HINTS_REMEMBERED_MAX = 10_000

function keyOf({ organizationId, digest }: TextKey): string {
  return `${organizationId} ${digest}`
}

/**
 * 24 bytes of SHA-256. The seal shows whether it is the right text; the digest only distinguishes the texts of one
 * organization.
 */
export function digestOf(body: string): string {
  return hash('sha256', body, 'buffer').subarray(0, 24).toString('base64url')
}

/** Two hosts that put the same texts then never wait for each other in a circle. */
function inOrder(texts: readonly RecordText[]): readonly RecordText[] {
  return texts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** The beginning of a user's snapshot, and of no other text. */
export function snapshotBeginning(userId: string): string {
  return `{"userId":"${userId}"`
}
