import type { Ms, World } from '../../trusted/base/world.ts'
import { emptyUnit } from '../../trusted/catalogue/unit.ts'
import type { Charter } from '../../trusted/charter/charter.ts'
import { isStoreOutage } from '../store/outage.ts'
import { LAST_USED } from '../store/last-used-entry.ts'
import type { FoundEntry, Store } from '../store/store.ts'
import type { CheckedCharters } from './checked-charters.ts'

/** A stamp that the vault has verified: its user, and its credential if that is a lasting one. */
type Use = {
  readonly organizationId: string
  readonly userId: string
  readonly credentialId?: string | undefined
}

/** Days in UTC, such as `2026-11-23`, by the id of a credential or of a user. */
type Days = ReadonlyMap<string, string>

/**
 * The day on which each credential and each user was last used, collected by this host for all hosts. The days are kept
 * in memory, and written from time to time: of all signatures of a day with one credential, only the first has to be
 * written.
 */
export class LastUses {
  readonly #store: Pick<Store, 'findPrefix' | 'commit'>
  readonly #checked: Pick<CheckedCharters, 'get'>
  readonly #now: () => Ms
  /** The ids noted on this day; the user of a noted credential is noted as well. */
  readonly #noted = new Set<string>()
  #day = Number.NaN
  /** The days that are still to be written, by organization. */
  readonly #unwritten = new Map<string, Map<string, string>>()

  constructor(parts: {
    readonly store: Pick<Store, 'findPrefix' | 'commit'>
    readonly checked: Pick<CheckedCharters, 'get'>
    readonly world: Pick<World, 'now'>
  }) {
    this.#store = parts.store
    this.#checked = parts.checked
    this.#now = parts.world.now
  }

  note({ organizationId, userId, credentialId }: Use): void {
    const day = Math.floor(this.#now() / DAY_MS)
    if (day !== this.#day || this.#noted.size >= NOTED_MAX) this.#noted.clear()
    this.#day = day
    const newest = credentialId ?? userId
    if (this.#noted.has(newest)) return
    const unwritten = this.#unwritten.get(organizationId) ?? new Map<string, string>()
    // A use without room in memory is noted at the next use.
    if (unwritten.size === 0 && this.#unwritten.size >= ORGANIZATIONS_MAX) return
    this.#noted.add(newest)
    this.#unwritten.set(organizationId, unwritten)
    const text = dayText(day * DAY_MS)
    for (const id of [newest, userId]) unwritten.set(id, text)
  }

  /** The written days, and those that this host has seen since. They carry no seal. */
  async of(organizationId: string): Promise<Days> {
    const entries = await this.#entries(organizationId)
    // In the order of days: if an id has several, the last counts. A writer of the database may have put any text
    // there.
    const days = new Map(
      entries.flatMap(({ value, target }) => (DAY.test(target) ? [[value, target] as const] : [])),
    )
    for (const [id, day] of this.#unwritten.get(organizationId) ?? [])
      if (!this.#isPast(day, days.get(id))) days.set(id, day)
    return days
  }

  /**
   * Writes the noted days, one organization after the other. Days that cannot be written are kept for the next round.
   * An organization with an altered charter does not affect the others.
   *
   * @throws the error of the store during an outage, or an AggregateError of the failures of single organizations
   */
  async write(): Promise<void> {
    const errors: unknown[] = []
    for (const organizationId of [...this.#unwritten.keys()]) {
      try {
        await this.#writeNoted(organizationId)
      } catch (error) {
        if (isStoreOutage(error)) throw error
        errors.push(error)
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'some last uses could not be written')
  }

  async #writeNoted(organizationId: string): Promise<void> {
    const unwritten = this.#unwritten.get(organizationId)
    if (unwritten === undefined) return
    const days = new Map(unwritten)
    await this.#writeOne(organizationId, days)
    for (const [id, day] of days) if (unwritten.get(id) === day) unwritten.delete(id)
    if (unwritten.size === 0) this.#unwritten.delete(organizationId)
  }

  /** Entries of a deleted credential or user are removed with them. */
  async #writeOne(organizationId: string, days: Days): Promise<void> {
    const [charter, entries] = await Promise.all([
      this.#checked.get(organizationId),
      this.#entries(organizationId),
    ])
    const known = knownIn(charter)
    const key = { scope: organizationId, kind: LAST_USED }
    const stands = ({ value, target }: FoundEntry): boolean => {
      const day = days.get(value)
      return day === undefined || day === target || this.#isPast(day, target)
    }
    const standing = new Set(entries.filter(stands).map(({ value }) => value))
    const put = [...days]
      .filter(([id]) => known.has(id) && !standing.has(id))
      .map(([value, target]) => ({ ...key, value, target }))
    const remove = entries
      .filter((entry) => !known.has(entry.value) || !stands(entry))
      .map((entry) => ({ ...key, ...entry }))
    if (put.length + remove.length > 0) await this.#store.commit({ ...emptyUnit, directory: { put, remove } })
  }

  /**
   * Whether another host has written a newer day: this one may write late, around midnight or after an outage. A day
   * that is far ahead is of a clock that was wrong.
   */
  #isPast(day: string, written: string | undefined): boolean {
    return (
      written !== undefined && DAY.test(written) && written > day && written <= dayText(this.#now() + DAY_MS)
    )
  }

  async #entries(scope: string) {
    return await this.#store.findPrefix({ scope, kind: LAST_USED, prefix: '' }, { limit: ENTRIES_MAX })
  }
}

const DAY_MS = 24 * 60 * 60 * 1000
const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_CHARACTERS = '2026-11-23'.length
const NOTED_MAX = 100_000
const ORGANIZATIONS_MAX = 10_000
/** An organization has 100 users with 30 such credentials each; a few entries may belong to deleted ones. */
const ENTRIES_MAX = 5_000

function knownIn(charter: Charter | undefined): ReadonlySet<string> {
  if (charter === undefined || charter.deleted) return new Set()
  return new Set(
    charter.users.flatMap(({ userId, apiKeys, authenticators }) => [
      userId,
      ...apiKeys.map(({ apiKeyId }) => apiKeyId),
      ...authenticators.map(({ authenticatorId }) => authenticatorId),
    ]),
  )
}

function dayText(at: Ms): string {
  return new Date(at).toISOString().slice(0, DAY_CHARACTERS)
}
